import type { Hints } from '#domain/hints';

/** The headers that carry hints, percent-encoded, from a reporter to a Task Manager. */
export const HINT_HEADERS: Readonly<Record<keyof Hints, string>> = {
  session_id: 'errand-session',
  client: 'errand-client',
  folder: 'errand-folder',
  branch: 'errand-branch',
  source: 'errand-source',
};
