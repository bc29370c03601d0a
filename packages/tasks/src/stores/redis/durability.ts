import type { RedisConnection } from './connection.ts';

const WANTED: Readonly<Record<string, { readonly value: string; readonly otherwise: string }>> = {
  appendonly: { value: 'yes', otherwise: 'tasks are lost when it restarts' },
  appendfsync: { value: 'always', otherwise: 'acknowledged tasks are lost when the power fails' },
  'maxmemory-policy': { value: 'noeviction', otherwise: 'tasks are removed when memory is short' },
};

/** Returns the settings with which the server could lose writes silently; none if it does not reveal its settings. */
export async function durabilityGaps({ send }: RedisConnection): Promise<readonly string[]> {
  const settings = await readSettings(send);
  return Object.entries(WANTED)
    .filter(([name, { value }]) => settings.has(name) && settings.get(name) !== value)
    .map(
      ([name, { value, otherwise }]) =>
        `Redis has ${name} ${settings.get(name)}: set it to ${value}, else ${otherwise}.`,
    );
}

async function readSettings(send: RedisConnection['send']): Promise<ReadonlyMap<string, string>> {
  try {
    return pairsOf(await send(['CONFIG', 'GET', ...Object.keys(WANTED)]));
  } catch {
    // Hosted servers often refuse CONFIG. Then the settings cannot be checked.
    return new Map();
  }
}

/** Reads name and value pairs: RESP2 has a flat list, RESP3 a map. */
function pairsOf(reply: unknown): ReadonlyMap<string, string> {
  if (!Array.isArray(reply))
    return new Map(Object.entries(Object(reply)).map(([name, value]) => [name, String(value)]));
  const pairs = new Map<string, string>();
  for (let i = 0; i + 1 < reply.length; i += 2) pairs.set(String(reply[i]), String(reply[i + 1]));
  return pairs;
}
