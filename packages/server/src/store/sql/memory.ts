/** Answers that cannot change while the lock of all writers is held, unless by the holder, who clears them. */
export interface Memory {
  readonly remember: <T>(key: string, ask: () => Promise<T>) => Promise<T>;
  readonly clear: () => void;
}

export function createMemory(): Memory {
  let answers = new Map<string, Promise<unknown>>();

  return {
    remember: <T>(key: string, ask: () => Promise<T>): Promise<T> => {
      const known = answers.get(key);
      // A key belongs to one question, so its answers are of one type.
      if (known !== undefined) return known as Promise<T>;
      const answer = ask();
      answers.set(key, answer);
      return answer;
    },
    clear: () => {
      if (answers.size > 0) answers = new Map();
    },
  };
}
