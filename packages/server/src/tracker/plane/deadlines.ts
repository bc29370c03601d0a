/** The deadline of each call, counted from its first request. */
export function createDeadlines(longest_ms: number, clock: () => number) {
  const deadlines = new WeakMap<object, number>();

  return (call: object): number => {
    const known = deadlines.get(call);
    if (known !== undefined) return known;
    const deadline = clock() + longest_ms;
    deadlines.set(call, deadline);
    return deadline;
  };
}
