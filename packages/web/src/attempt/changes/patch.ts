/** A line of a diff with its numbers on both sides; null where the side does not have it. */
export interface DiffLine {
  readonly kind: 'same' | 'add' | 'del';
  readonly old: number | null;
  readonly new: number | null;
  readonly text: string;
}

export interface Hunk {
  /** As git writes it: @@ -1,9 +1,16 @@ and what it is in. */
  readonly header: string;
  readonly lines: readonly DiffLine[];
}

export interface Patch {
  readonly hunks: readonly Hunk[];
  readonly isBinary: boolean;
}

const HUNK = /^@@ -(?<old>\d+)(?:,\d+)? \+(?<new>\d+)(?:,\d+)? @@/;
const BINARY = /^(?:Binary files .* differ|GIT binary patch)$/m;

/** Reads the patch of one file as git writes it. */
export function readPatch(text: string): Patch {
  const hunks: { header: string; lines: DiffLine[] }[] = [];
  let [oldLine, newLine] = [0, 0];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const begin = HUNK.exec(line)?.groups;
    const hunk = hunks.at(-1);
    if (begin !== undefined) {
      [oldLine, newLine] = [Number(begin.old), Number(begin.new)];
      hunks.push({ header: line, lines: [] });
    } else if (hunk !== undefined) {
      const words = line.slice(1);
      if (line.startsWith('+')) hunk.lines.push({ kind: 'add', old: null, new: newLine++, text: words });
      else if (line.startsWith('-')) hunk.lines.push({ kind: 'del', old: oldLine++, new: null, text: words });
      else if (line.startsWith(' ') || line === '') {
        hunk.lines.push({ kind: 'same', old: oldLine++, new: newLine++, text: words });
      }
      // What else there is, such as "\ No newline at end of file", is no line of the file.
    }
  }
  return { hunks, isBinary: hunks.length === 0 && BINARY.test(text) };
}

export const lineCount = ({ hunks }: Patch): number => hunks.reduce((all, { lines }) => all + lines.length, 0);

/** The two sides of a row of a split diff. */
export interface SplitRow {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** Removed lines beside those that were added in their place. */
export function splitRows(lines: readonly DiffLine[]): readonly SplitRow[] {
  const rows: SplitRow[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (line === undefined) break;
    if (line.kind === 'same') {
      rows.push({ left: line, right: line });
      at += 1;
      continue;
    }
    const { removed, added } = changeAt(lines, at);
    for (let row = 0; row < Math.max(removed.length, added.length); row += 1) {
      rows.push({ left: removed[row] ?? null, right: added[row] ?? null });
    }
    at += removed.length + added.length;
  }
  return rows;
}

/** Lines that were removed and those that were added in their place, from an index on. */
function changeAt(lines: readonly DiffLine[], from: number) {
  let end = from;
  while (lines[end]?.kind === 'del') end += 1;
  const removed = lines.slice(from, end);
  const start = end;
  while (lines[end]?.kind === 'add') end += 1;
  return { removed, added: lines.slice(start, end) };
}

/** Pairs of lines, the first changed into the second: their words are compared. */
export function pairsOf(lines: readonly DiffLine[]): readonly (readonly [removed: DiffLine, added: DiffLine])[] {
  return splitRows(lines).flatMap(({ left, right }) =>
    left !== null && right !== null && left.kind === 'del' && right.kind === 'add' ? [[left, right] as const] : [],
  );
}
