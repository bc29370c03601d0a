import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from '#gateway/gateway';
import { takeClientFacts } from '#gateway/take-client-facts';
import { CLIENT_FACT_HEADERS } from '#tools/client-fact-headers';

export type ClientFacts = NonNullable<Call['client_facts']>;

const HEADERS = Object.entries(CLIENT_FACT_HEADERS);

/** Percent-encoded, because headers can only hold ASCII safely. */
function decoded(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Reads the facts about the client from the request's headers. */
export function clientFactsIn(headers: IncomingHttpHeaders): ClientFacts | undefined {
  if (HEADERS.every(([, header]) => headers[header] === undefined)) return undefined;
  return takeClientFacts(Object.fromEntries(HEADERS.map(([name, header]) => [name, decoded(headers[header])])));
}
