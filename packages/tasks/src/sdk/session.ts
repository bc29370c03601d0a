import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '#json';

const FORM = /^errand\.[0-9a-f-]{36}\.([\w-]*)$/;
const MAX_BYTES = 2_048;

/**
 * Makes a session id of 2025 that needs no memory: it contains the client's declared capabilities, so that any process
 * can send questions to the client. A client that forges an id harms only itself.
 */
export function mintSession(client_capabilities: unknown): string {
  const json = JSON.stringify(client_capabilities ?? {});
  const kept = Buffer.byteLength(json) > MAX_BYTES ? '{}' : json;
  return `errand.${randomUUID()}.${Buffer.from(kept).toString('base64url')}`;
}

/** Returns the capabilities that a session's client declared; undefined for an id that `mintSession` did not make. */
export function readSession(id: string | null | undefined): JsonObject | undefined {
  const [, encoded] = FORM.exec(id ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    const declared: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return isObject(declared) ? (declared as JsonObject) : undefined; // The value was parsed from JSON.
  } catch {
    return undefined;
  }
}
