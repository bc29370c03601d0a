import { setTimeout as sleep } from 'node:timers/promises';
import { mcpPost } from '../drivers/mcp-http.ts';
import { type Revision, rpc } from '../drivers/mcp-messages.ts';
import { type Received, sendJson } from '../http.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type Answer =
  | { readonly ok: true; readonly value: Fields }
  | { readonly ok: false; readonly code: string; readonly text: string };

/** A client that repeats its requests while the server is restarted. */
export interface Talk {
  readonly ask: (tool: string, args: Fields) => Promise<Answer>;
  readonly mcp: (revision: Revision, method: string, params: Fields) => Promise<Answer>;
}

const RETRY_MS = 20;
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

const isAgain = ({ status, text }: Received): boolean =>
  status === 503 || text.includes('"idempotency_key_in_progress"');

/** Sends until a complete answer comes. `origin` waits for the next server when there is none. */
async function persist(origin: () => Promise<string>, send: (origin: string) => Promise<Received>): Promise<Received> {
  for (;;) {
    const received = await send(await origin()).catch(() => null);
    if (received !== null && !isAgain(received)) return received;
    await sleep(RETRY_MS);
  }
}

function restAnswer({ status, text }: Received): Answer {
  const body = JSON.parse(text) as Fields & { readonly error?: { readonly code?: unknown } };
  if (status < 300) return { ok: true, value: body };
  return { ok: false, code: String(body.error?.code ?? status), text };
}

function rpcAnswer({ status, text }: Received): Answer {
  const body = JSON.parse(text) as { readonly result?: Fields; readonly error?: { readonly code?: unknown } };
  if (status === 200 && body.result !== undefined) return { ok: true, value: body.result };
  return { ok: false, code: String(body.error?.code ?? status), text };
}

export const createTalk = (origin: () => Promise<string>, token: string): Talk => ({
  ask: async (tool, args) =>
    restAnswer(await persist(origin, (at) => sendJson(at, `/api/v1/tools/${tool}`, token, args))),
  mcp: async (revision, method, params) => {
    const message = rpc(revision, 1, method, params, TASKS);
    return rpcAnswer(await persist(origin, (at) => mcpPost(at, '/mcp/board', token, revision, message)));
  },
});
