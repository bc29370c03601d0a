import { type ClientFacts, readClientFacts } from '#domain/client-facts';

const MAX_KEPT = 1_000;
const MAX_KEPT_CHARACTERS = 300;

/** Facts that were read before, by what was given: a client says the same of itself in every call. */
let kept = new Map<string, ClientFacts | undefined>();

function read(given: Readonly<Record<string, unknown>>): ClientFacts | undefined {
  const client_facts = readClientFacts(given);
  return Object.keys(client_facts).length === 0 ? undefined : client_facts;
}

/** The facts about a client that can be kept; undefined when there are none. */
export function takeClientFacts(given: Readonly<Record<string, unknown>>): ClientFacts | undefined {
  const key = JSON.stringify(given);
  if (key.length > MAX_KEPT_CHARACTERS) return read(given);
  if (kept.has(key)) return kept.get(key);
  const client_facts = read(given);
  // Forgetting costs some calls a few microseconds.
  if (kept.size >= MAX_KEPT) kept = new Map();
  kept.set(key, client_facts);
  return client_facts;
}
