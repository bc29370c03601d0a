/** How many letters have to be put in, left out, replaced or swapped with their neighbour to get from one text to the other. */
function distance(from: string, to: string): number {
  let previous: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      const isSwapped = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j];
      const swapped = isSwapped ? (previous[j - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    previous = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** The closest name, when it differs by little: `userId` and `usr_id` both mean `user_id`. */
export const closestName = (typed: string, names: readonly string[]): string | null =>
  within(typed, names, plain(typed).length < 5 ? 1 : 2);

/** The name that was meant, when one differs by a single letter, or by two that are swapped. */
export const nearName = (typed: string, names: readonly string[]): string | null => within(typed, names, 1);

function within(typed: string, names: readonly string[], most: number): string | null {
  const meant = plain(typed);
  const near = names.flatMap((name) => {
    const known = plain(name);
    // Checked first: a long text would take long to compare.
    if (Math.abs(known.length - meant.length) > most) return [];
    const steps = distance(meant, known);
    return steps <= most ? [{ name, steps }] : [];
  });
  return near.toSorted((a, b) => a.steps - b.steps)[0]?.name ?? null;
}
