import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from '#gateway/gateway';
import { takeHints } from '#gateway/take-hints';
import { HINT_HEADERS } from '#tools/hint-headers';

export type Hints = NonNullable<Call['hints']>;

const HEADERS = Object.entries(HINT_HEADERS);

/** Percent-encoded, because headers can only hold ASCII safely. */
function decoded(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Reads the hints about the sender from the request's headers. */
export function hintsOf(headers: IncomingHttpHeaders): Hints | undefined {
  if (HEADERS.every(([, header]) => headers[header] === undefined)) return undefined;
  return takeHints(Object.fromEntries(HEADERS.map(([name, header]) => [name, decoded(headers[header])])));
}
