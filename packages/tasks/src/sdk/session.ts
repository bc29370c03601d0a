import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '#json';

const FORM = /^errand\.[0-9a-f-]{36}\.([\w-]*)$/;
const MOST_BYTES = 2_048;

/**
 * A session of 2025 that needs no memory: its id says what the client declared when it initialized, so that any process
 * can ask it. Whoever forges one deceives nobody but itself.
 */
export function mintSession(client_capabilities: unknown): string {
  const json = JSON.stringify(client_capabilities ?? {});
  const kept = Buffer.byteLength(json) > MOST_BYTES ? '{}' : json;
  return `errand.${randomUUID()}.${Buffer.from(kept).toString('base64url')}`;
}

/** What the client of a session declared; undefined for an id that was not minted here. */
export function readSession(id: string | null | undefined): JsonObject | undefined {
  const [, encoded] = FORM.exec(id ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    const declared: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return isObject(declared) ? (declared as JsonObject) : undefined; // What was parsed as JSON is JSON.
  } catch {
    return undefined;
  }
}
