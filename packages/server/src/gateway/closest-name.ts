/** How many letters have to be put in, left out or replaced to get from one text to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** The name that was meant, when one differs by little: `userId` and `usr_id` are both `user_id`. */
export const closestName = (typed: string, names: readonly string[]): string | null =>
  within(typed, names, plain(typed).length < 5 ? 1 : 2);

/** The name that was meant, when one differs by a single letter. */
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
