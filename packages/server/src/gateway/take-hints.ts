import { type Hints, readHints } from '#domain/hints';

/** What a client tells of itself, as far as it can be kept; undefined when that is nothing. */
export function takeHints(given: Readonly<Record<string, unknown>>): Hints | undefined {
  const hints = readHints(given);
  return Object.keys(hints).length === 0 ? undefined : hints;
}
