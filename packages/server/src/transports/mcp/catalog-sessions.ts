import { randomUUID } from 'node:crypto';
import type { ClientFacts, SessionOptions } from '@errand/mcp';
import type { Call, Gateway } from '#gateway/gateway';
import { isObject, type JsonObject } from '#transports/json';
import { showsViews } from './views.ts';

/** Only a client that can be asked, or shows views, needs a session: later requests do not say so. All others are served without one. */
const needsSession = (capabilities: JsonObject & { elicitation?: unknown; sampling?: unknown }): boolean =>
  isObject(capabilities.elicitation) || isObject(capabilities.sampling) || showsViews(capabilities);

/** The sessions of MCP clients. They are rows of the database, so that every server can serve each of them. */
export function createCatalogSessions({ client_sessions }: Gateway): SessionOptions<Call['caller']> {
  return {
    is_optional: true,
    store: {
      ...client_sessions,
      open: async (caller, facts) => {
        if (!needsSession(facts.client_capabilities)) return null;
        const session_id = randomUUID();
        const isOpen = await client_sessions.open(caller, session_id, JSON.stringify(facts));
        return isOpen ? { ...facts, session_id } : null;
      },
      find: async (caller, session_id) => {
        const facts = await client_sessions.find(caller, session_id);
        // Safe: written by `open` above.
        return facts === null ? undefined : { ...(JSON.parse(facts) as ClientFacts), session_id };
      },
    },
  };
}
