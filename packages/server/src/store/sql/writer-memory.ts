const MAX_ANSWERS = 10_000;

/** Cached answers that only the holder of the writers' lock can change, who then clears the cache. */
export interface Memory {
  readonly remember: <T>(key: string, ask: () => Promise<T>) => Promise<T>;
  readonly clear: () => void;
}

export function createMemory(): Memory {
  let answers = new Map<string, Promise<unknown>>();

  return {
    remember: <T>(key: string, ask: () => Promise<T>): Promise<T> => {
      const known = answers.get(key);
      // A key belongs to one query, so its answers have one type.
      if (known !== undefined) return known as Promise<T>;
      if (answers.size >= MAX_ANSWERS) answers = new Map();
      const answer = ask();
      answers.set(key, answer);
      return answer;
    },
    clear: () => {
      if (answers.size > 0) answers = new Map();
    },
  };
}
