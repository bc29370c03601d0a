import { type ClientFacts, readClientFacts } from '#domain/client-facts';

/** The facts about a client that can be kept; undefined when there are none. */
export function takeClientFacts(given: Readonly<Record<string, unknown>>): ClientFacts | undefined {
  const client_facts = readClientFacts(given);
  return Object.keys(client_facts).length === 0 ? undefined : client_facts;
}
