const MIN_PREFIX = 8;

/** What a person types for a thing: its key, or its id when it has none. */
export const nameOf = (key: string | null, id: string): string => key ?? id;

/** The start of an id that is enough to tell it from the others that are shown. */
export function shortId(id: string, shown: readonly string[]): string {
  const others = shown.filter((other) => other !== id);
  for (let length = MIN_PREFIX; length < id.length; length++) {
    const start = id.slice(0, length);
    if (!start.endsWith('-') && others.every((other) => !other.startsWith(start))) return start;
  }
  return id;
}
