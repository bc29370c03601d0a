/** Runs calls with the same name one after another, in order of arrival. */
export function createOneAtATime() {
  const last = new Map<string, Promise<void>>();

  return async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const before = last.get(name);
    const turn = Promise.withResolvers<void>();
    last.set(name, turn.promise);
    try {
      await before;
      return await run();
    } finally {
      turn.resolve();
      if (last.get(name) === turn.promise) last.delete(name);
    }
  };
}
