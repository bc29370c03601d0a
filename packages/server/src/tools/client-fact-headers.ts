import type { ClientFacts } from '#domain/client-facts';

/** The headers that carry client facts, percent-encoded, from a reporter to a Task Manager. */
export const CLIENT_FACT_HEADERS: Readonly<Record<keyof ClientFacts, string>> = {
  session_id: 'errand-session',
  client: 'errand-client',
  folder: 'errand-folder',
  branch: 'errand-branch',
  source: 'errand-source',
};
