/** A changed part of a file, as git prints it. */
export interface PatchHunk {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  /** Each with its sign: a space, + or -. */
  readonly lines: readonly string[];
}

/** One file of a patch. A path is null on the side where the file does not exist. */
export interface PatchFile {
  readonly old_path: string | null;
  readonly path: string | null;
  readonly hunks: readonly PatchHunk[];
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07' };

/** Reads a name that git has put in quotation marks: it writes bytes that are no plain letters as octal numbers. */
function unquoted(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part, octal, letter] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(letter === undefined ? part : (ESCAPES[letter] ?? letter)));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** A name on one side, without the prefix `a/` or `b/`; null for a file that does not exist there. */
function sideOf(line: string): string | null {
  // Git adds a tab after names with spaces.
  const name = unquoted(line.slice(4).replace(/\t$/, ''));
  return name === '/dev/null' ? null : name.slice(2);
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The names of a file whose content did not change stand in the first line only; there they are equal. */
function namedTwice(line: string): string | null {
  const names = line.slice('diff --git '.length);
  const [quoted] = /^"(?:[^"\\]|\\.)*"/.exec(names) ?? [];
  if (quoted !== undefined) return unquoted(quoted).slice(2);
  return names.slice(2, (names.length - 1) / 2);
}

/** Reads the lines of a hunk by its counts: a line of a file can look like the head of a file. */
function readHunk(lines: readonly string[], start: number, head: RegExpExecArray): { hunk: PatchHunk; next: number } {
  const [, old_start, old_lines = '1', new_start, new_lines = '1'] = head;
  let [old_left, new_left] = [Number(old_lines), Number(new_lines)];
  const found: string[] = [];
  let next = start;
  for (; next < lines.length && (old_left > 0 || new_left > 0); next += 1) {
    const line = lines[next] ?? '';
    if (line.startsWith('\\')) continue;
    if (!line.startsWith('+')) old_left -= 1;
    if (!line.startsWith('-')) new_left -= 1;
    found.push(line);
  }
  const hunk = {
    old_start: Number(old_start),
    old_lines: Number(old_lines),
    new_start: Number(new_start),
    new_lines: Number(new_lines),
    lines: found,
  };
  return { hunk, next };
}

/** The files of a patch of git. A file whose patch was cut has the hunks before the cut. */
export function readPatch(patch: string): readonly PatchFile[] {
  const lines = patch.split('\n');
  const files: PatchFile[] = [];
  for (let at = 0; at < lines.length; ) {
    if (!lines[at]?.startsWith('diff --git ')) {
      at += 1;
      continue;
    }
    const name = namedTwice(lines[at] ?? '');
    let file = { old_path: name, path: name };
    const hunks: PatchHunk[] = [];
    for (at += 1; at < lines.length && !lines[at]?.startsWith('diff --git '); ) {
      const line = lines[at] ?? '';
      const head = HUNK.exec(line);
      at += 1;
      if (head !== null) {
        const { hunk, next } = readHunk(lines, at, head);
        hunks.push(hunk);
        at = next;
      } else file = namesAfter(file, line);
    }
    files.push({ ...file, hunks });
  }
  return files;
}

type Names = Pick<PatchFile, 'old_path' | 'path'>;

/** The names of a file, after one more line of its head. */
function namesAfter(names: Names, line: string): Names {
  if (line.startsWith('--- ')) return { ...names, old_path: sideOf(line) };
  if (line.startsWith('+++ ')) return { ...names, path: sideOf(line) };
  if (line.startsWith('rename from ')) return { ...names, old_path: unquoted(line.slice('rename from '.length)) };
  if (line.startsWith('rename to ')) return { ...names, path: unquoted(line.slice('rename to '.length)) };
  if (line.startsWith('new file mode ')) return { ...names, old_path: null };
  if (line.startsWith('deleted file mode ')) return { ...names, path: null };
  return names;
}

export interface ShownLine {
  readonly line: number;
  readonly text: string;
}

/** The lines of one side of a file that its patch shows, with their numbers. */
export function shownLines({ hunks }: PatchFile, side: 'old' | 'new'): readonly ShownLine[] {
  const other = side === 'new' ? '-' : '+';
  return hunks.flatMap(({ old_start, new_start, lines }) => {
    const first = side === 'new' ? new_start : old_start;
    return lines
      .filter((line) => !line.startsWith(other))
      .map((line, at) => ({ line: first + at, text: line.slice(1) }));
  });
}
