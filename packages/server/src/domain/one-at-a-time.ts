/** Runs work that names the same thing one after another, and other work at once. */
export function createOneAtATime() {
  const last = new Map<string, Promise<void>>();

  return async <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    const done = Promise.withResolvers<void>();
    const before = names.map((name) => last.get(name));
    // All at once, so that two pieces of work never wait for each other.
    for (const name of names) last.set(name, done.promise);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      done.resolve();
      for (const name of names) if (last.get(name) === done.promise) last.delete(name);
    }
  };
}
