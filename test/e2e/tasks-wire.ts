import { randomUUID } from 'node:crypto';
import { isFields } from './tasks-schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A hand-written 2025 client: one session with one server, as one user. */
export interface Session {
  readonly request: (method: string, params?: Fields) => Promise<Fields>;
  /** Returns the first question on the stream of the answer, and the end of the answer. */
  readonly untilAsked: (method: string, params: Fields) => Promise<{ question: Fields; end: Promise<Fields> }>;
  readonly respond: (id: unknown, result: Fields) => Promise<number>;
}

export async function openSession(url: string, user: string, capabilities: Fields = {}): Promise<Session> {
  let session_id: string | undefined;

  const post = (body: Fields): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      headers: {
        authorization: `Bearer ${user}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...(session_id !== undefined && { 'mcp-session-id': session_id }),
      },
    });

  const opening = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'by-hand', version: '1' } };
  const opened = await post({ id: randomUUID(), method: 'initialize', params: opening });
  session_id = opened.headers.get('mcp-session-id') ?? undefined;
  await opened.json();

  return {
    request: async (method, params = {}) => lastOf(await post({ id: randomUUID(), method, params })),
    untilAsked: async (method, params) => {
      const messages = messagesOf(await post({ id: randomUUID(), method, params }));
      for (;;) {
        const { done, value } = await messages.next();
        if (done === true) throw new Error('The answer came without a question.');
        if (value.method === 'elicitation/create') return { question: value, end: drain(messages) };
      }
    },
    respond: async (id, result) => (await post({ id, result })).status,
  };
}

async function lastOf(response: Response): Promise<Fields> {
  if (response.headers.get('content-type') === 'application/json') return (await response.json()) as Fields;
  return await drain(messagesOf(response));
}

async function drain(messages: AsyncGenerator<Fields>): Promise<Fields> {
  let last: Fields = {};
  for await (const message of messages) last = message;
  return last;
}

async function* messagesOf({ body }: Response): AsyncGenerator<Fields> {
  let text = '';
  for await (const chunk of body ?? []) {
    const lines = (text + Buffer.from(chunk as Uint8Array).toString()).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const data: unknown = /^data: ./.test(line) ? JSON.parse(line.slice('data: '.length)) : undefined;
      if (isFields(data)) yield data;
    }
  }
}
