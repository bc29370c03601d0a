import type { Change } from './host.ts';
import type { JsonObject } from './json.ts';

const METHODS = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resource: 'notifications/resources/updated',
} as const satisfies Record<Change['kind'], string>;

/** Encodes a change as a notification, for both generations. */
export function changeNotification(change: Change, meta?: JsonObject): { method: string; params?: JsonObject } {
  const fields = { ...(meta && { _meta: meta }), ...(change.kind === 'resource' && { uri: change.uri }) };
  const method = METHODS[change.kind];
  return Object.keys(fields).length === 0 ? { method } : { method, params: fields };
}
