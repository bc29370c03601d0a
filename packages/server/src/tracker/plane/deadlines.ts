/** When each call must be over: counted from the first thing that is asked for it. */
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
