import { diffWordsWithSpace } from 'diff';
import { type DiffLine, pairsOf } from './patch.ts';

/** A part of a line, from one character to before another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Longer lines are not compared word by word: that costs more than it shows. */
const MAX_LENGTH = 1_000;
/** Lines that have less in common than this are different lines: marks would only be noise. */
const MIN_COMMON = 0.5;

/** Marks as a reader sees them: those with only space between them are one, and space at their end is not marked. */
function joined(text: string, ranges: readonly Range[]): readonly Range[] {
  const marks: Range[] = [];
  for (const range of ranges) {
    const last = marks.at(-1);
    if (last !== undefined && text.slice(last.to, range.from).trim() === '') {
      marks[marks.length - 1] = { from: last.from, to: range.to };
    } else marks.push(range);
  }
  return marks.map(({ from, to }) => {
    const words = text.slice(from, to);
    return words.trim() === '' ? { from, to } : { from, to: from + words.trimEnd().length };
  });
}

/** The parts of two lines in which they differ; null when they have too little in common. */
export function changedWords(
  before: string,
  after: string,
): { readonly removed: readonly Range[]; readonly added: readonly Range[] } | null {
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return null;
  const removed: Range[] = [];
  const added: Range[] = [];
  let [oldAt, newAt, common] = [0, 0, 0];
  for (const part of diffWordsWithSpace(before, after)) {
    const { length } = part.value;
    if (part.removed) removed.push({ from: oldAt, to: oldAt + length });
    if (part.added) added.push({ from: newAt, to: newAt + length });
    if (!part.removed && !part.added) common += part.value.trim().length;
    if (!part.added) oldAt += length;
    if (!part.removed) newAt += length;
  }
  return common < MIN_COMMON * Math.max(before.trim().length, after.trim().length)
    ? null
    : { removed: joined(before, removed), added: joined(after, added) };
}

/** The changed words of each line that was changed into another. */
export function markedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly Range[]> {
  const marks = new Map<DiffLine, readonly Range[]>();
  for (const [before, after] of pairsOf(lines)) {
    const words = changedWords(before.text, after.text);
    if (words === null) continue;
    marks.set(before, words.removed);
    marks.set(after, words.added);
  }
  return marks;
}
