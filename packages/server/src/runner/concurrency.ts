/** Runs the work when there is room; urgent work goes before the work that waits. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, options?: { readonly is_urgent: boolean }) => Promise<T>;

/** Lets at most `most` pieces of work run at once; the others wait. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let running = 0;

  const wait = (is_urgent: boolean): Promise<void> =>
    new Promise((resolve) => (is_urgent ? waiting.unshift(resolve) : waiting.push(resolve)));

  return async (work, { is_urgent } = { is_urgent: false }) => {
    if (running >= most) await wait(is_urgent);
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
