/** Whether two lists without repeats hold the same ids, in any order. */
export const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && new Set([...some, ...others]).size === some.length;
