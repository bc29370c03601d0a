import { type PatchHunk, readPatch } from './read-patch.ts';

/** A changed part of a file, with the lines that it has now. */
interface Hunk extends Pick<PatchHunk, 'old_start' | 'old_lines' | 'new_start' | 'new_lines'> {
  readonly added: readonly string[];
}

export interface CommentPlace {
  readonly path: string;
  /** Null when the file is gone. */
  readonly line: number | null;
  readonly is_outdated: boolean;
}

interface PlacedLine {
  readonly line: number;
  readonly is_outdated: boolean;
}

/** A changed file, in which many lines are looked up. */
interface ChangedFile {
  /** Null for a removed file. */
  readonly path: string | null;
  /** Where a line is now. One that was outdated stays so, unless its part of the file has changed. */
  readonly follow: (before: PlacedLine, text: string | null) => PlacedLine;
  /** The line with this text that is nearest to `near`, among all lines that were added; null for none. */
  readonly added: (text: string, near: number) => number | null;
}

/** Changed files by their path before; new files by their path now. */
export type Changes = ReadonlyMap<string, ChangedFile>;

/** The changes of a patch without context lines. */
export const changesIn = (patch: string): Changes =>
  new Map(
    readPatch(patch).map(({ old_path, path, hunks }) => [
      old_path ?? path ?? '',
      changedFile(
        path,
        hunks.map(({ lines, ...hunk }) => ({
          ...hunk,
          added: lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
        })),
      ),
    ]),
  );

/** Lines are compared by their first characters: a file may be one line. */
const MAX_COMPARED_CHARACTERS = 500;
/** A line that was both changed and moved is looked for within this many lines before and after its place. */
const MAX_LINES_AWAY = 100;
/** The share of words that a changed line must keep to be taken for the same line. */
const MIN_SHARED_PART = 0.6;

/** What two lines must have in common to be the same one. */
const keyOf = (line: string): string =>
  line
    .slice(0, 2 * MAX_COMPARED_CHARACTERS)
    .trim()
    .slice(0, MAX_COMPARED_CHARACTERS);

type Counts = ReadonlyMap<string, number>;

function countWords(text: string): Counts {
  const counts = new Map<string, number>();
  for (const word of keyOf(text).match(/[\p{L}\p{N}_]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

function shareOfWords(a: Counts, b: Counts): number {
  const common = [...a].map(([word, count]) => Math.min(count, b.get(word) ?? 0));
  return sum(common) / Math.max(sum(a.values()), sum(b.values()), 1);
}

/** The number of leading items for which it holds. */
function countWhile<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    // Safe: it is between the two.
    if (holds(items[middle] as Item)) from = middle + 1;
    else to = middle;
  }
  return from;
}

interface LineRange {
  readonly first: number;
  readonly last: number;
}

const ALL_LINES: LineRange = { first: 0, last: Number.POSITIVE_INFINITY };

/** The number that is nearest to `near`, of sorted ones from `first` to `last`. The smaller of two; null for none. */
function nearest(sorted: readonly number[], near: number, { first, last }: LineRange): number | null {
  const at = countWhile(sorted, (number) => number < near);
  const close = [sorted[at - 1], sorted[at]].filter((number) => number !== undefined);
  const inside = close.filter((number) => number >= first && number <= last);
  if (inside.length > 0) return inside.reduce((a, b) => (Math.abs(b - near) < Math.abs(a - near) ? b : a));
  const bound =
    near < first
      ? sorted[countWhile(sorted, (number) => number < first)]
      : sorted[countWhile(sorted, (number) => number <= last) - 1];
  return bound !== undefined && bound >= first && bound <= last ? bound : null;
}

/** The first line after a hunk, before the change. A hunk that only adds lines names the line before them. */
const endOf = ({ old_start, old_lines }: Hunk): number => old_start + Math.max(1, old_lines);

/** Computes the look-ups of comments once for a file. Computed for each comment, they would cost lines times comments. */
function changedFile(path: string | null, hunks: readonly Hunk[]): ChangedFile {
  /** The lines that each hunk, and all before it, have moved those after it by. */
  const shifts: number[] = [];
  for (const { old_lines, new_lines } of hunks) shifts.push((shifts.at(-1) ?? 0) + new_lines - old_lines);
  let byKey: ReadonlyMap<string, readonly number[]> | null = null;
  const counted = new Map<number, Counts>();

  function linesWith(key: string): readonly number[] {
    byKey ??= numbersByKey(hunks);
    return byKey.get(key) ?? [];
  }

  function wordsAt(line: number, text: string): Counts {
    const counts = counted.get(line) ?? countWords(text);
    counted.set(line, counts);
    return counts;
  }

  /** The line of a hunk that shares the most words with the text, near to `near`; null when no line shares enough. */
  function alike({ new_start, added }: Hunk, text: string, near: number): number | null {
    const words = countWords(text);
    const first = Math.max(0, near - new_start - MAX_LINES_AWAY);
    const [best] = added
      .slice(first, Math.max(0, near - new_start) + MAX_LINES_AWAY + 1)
      .map((line, at) => ({ line: new_start + first + at, text: line }))
      .map(({ line, text }) => ({ line, share: shareOfWords(words, wordsAt(line, text)) }))
      .filter(({ share }) => share >= MIN_SHARED_PART)
      .toSorted((a, b) => b.share - a.share || a.line - b.line);
    return best?.line ?? null;
  }

  function within(hunk: Hunk, line: number, text: string | null): PlacedLine {
    const { old_start, new_start, added } = hunk;
    const near = new_start + line - old_start;
    const lines = { first: new_start, last: new_start + added.length - 1 };
    const found = text === null ? null : (same(text, near, lines) ?? alike(hunk, text, near));
    // Where all lines of the hunk were removed, git names the line before it.
    if (found === null) return { line: Math.max(1, new_start), is_outdated: true };
    return { line: found, is_outdated: false };
  }

  function same(text: string, near: number, lines: LineRange): number | null {
    const key = keyOf(text);
    return key === '' ? null : nearest(linesWith(key), near, lines);
  }

  return {
    path,
    follow: ({ line, is_outdated }, text) => {
      const before = countWhile(hunks, (hunk) => endOf(hunk) <= line);
      const hunk = hunks[before];
      if (hunk !== undefined && hunk.old_lines > 0 && hunk.old_start <= line) return within(hunk, line, text);
      return { line: line + (shifts[before - 1] ?? 0), is_outdated };
    },
    added: (text, near) => same(text, near, ALL_LINES),
  };
}

/** The numbers of the added lines, by what is compared of them. */
function numbersByKey(hunks: readonly Hunk[]): ReadonlyMap<string, readonly number[]> {
  const numbers = new Map<string, number[]>();
  for (const { new_start, added } of hunks) {
    for (const [at, line] of added.entries()) {
      const key = keyOf(line);
      const known = numbers.get(key);
      if (known === undefined) numbers.set(key, [new_start + at]);
      else known.push(new_start + at);
    }
  }
  return numbers;
}

/** Where a line is after a change of its file. `line_text` is the line that the comment was made on; null when it is not known. */
export function carry(place: CommentPlace, line_text: string | null, changes: Changes): CommentPlace {
  const file = changes.get(place.path);
  if (file === undefined) return place;
  const { path } = file;
  if (path === null) return { path: place.path, line: null, is_outdated: true };
  const { line, is_outdated } = place;
  const now = line === null ? { line, is_outdated } : file.follow({ line, is_outdated }, line_text);
  if (!now.is_outdated || !is_outdated || line_text === null) return { path, ...now };
  const again = file.added(line_text, now.line ?? 1);
  return again === null ? { path, ...now } : { path, line: again, is_outdated: false };
}
