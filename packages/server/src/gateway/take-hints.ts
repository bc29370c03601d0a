import { type Hints, readHints } from '#domain/hints';

/** The hints of a client that can be kept; undefined when there are none. */
export function takeHints(given: Readonly<Record<string, unknown>>): Hints | undefined {
  const hints = readHints(given);
  return Object.keys(hints).length === 0 ? undefined : hints;
}
