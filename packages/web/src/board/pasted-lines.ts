/** A pasted list adds at most this many tasks at once. */
const MAX_LINES = 50;
const MAX_TITLE = 255;
/** What begins a line of a list: a dash, a bullet, a number, a box. */
const MARK = /^\s*(?:[-*•]\s+|\d+[.)]\s+)?(?:\[[ xX]?\]\s+)?/;

/** The lines of a pasted text as titles of tasks. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(MARK, '').trim().slice(0, MAX_TITLE))
    .filter((line) => line !== '')
    .slice(0, MAX_LINES);
