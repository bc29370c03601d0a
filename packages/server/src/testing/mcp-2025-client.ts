import { messagesIn } from '@errand/mcp/testing';
import { ask } from './served.ts';

type Json = Record<string, unknown>;
type Headers = Readonly<Record<string, string>>;

const VERSION = '2025-11-25';
const ACCEPT = 'application/json, text/event-stream';
export const CAN_ANSWER = { elicitation: {} };

export const initialize = (capabilities: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: VERSION, capabilities, clientInfo: { name: 'test', version: '1' } },
});

/** A client of one or several servers. */
export function a2025Client(authorization: string | null) {
  const headersWith = (more: Headers): Headers => ({
    ...(authorization !== null && { authorization }),
    'content-type': 'application/json',
    'mcp-protocol-version': VERSION,
    accept: ACCEPT,
    ...more,
  });
  const post = (url: string, body: object, more: Headers = {}) =>
    ask(`${url}/mcp`, { method: 'POST', headers: headersWith(more), body: JSON.stringify(body) });

  return {
    post,
    request: (url: string, method: string, params: object, more: Headers = {}) =>
      post(url, { jsonrpc: '2.0', id: 1, method, params }, more),
    send: (url: string, method: string, more: Headers = {}) =>
      ask(`${url}/mcp`, { method, headers: headersWith(more) }),
    /** Opens a session and returns its headers. */
    open: async (url: string, capabilities: object = CAN_ANSWER): Promise<Headers> => {
      const { headers } = await post(url, initialize(capabilities));
      return { 'mcp-session-id': String(headers['mcp-session-id']) };
    },
    /** Opens a stream, and reads its messages as they arrive. */
    stream: async (url: string, init: { readonly method: string; readonly body?: string }, more: Headers) => {
      const closing = new AbortController();
      const response = await fetch(`${url}/mcp`, { ...init, headers: headersWith(more), signal: closing.signal });
      let text = '';
      const over = (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
      })().catch(() => undefined);
      return {
        status: response.status,
        over,
        messages: () => messagesIn(text) as readonly Json[],
        questions: () => (messagesIn(text) as readonly Json[]).filter(({ method }) => method === 'elicitation/create'),
        lastEventId: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
        close: () => closing.abort(),
      };
    },
  };
}

export const resultOf = (taskId: string) => ({
  method: 'POST',
  body: JSON.stringify({ jsonrpc: '2.0', id: 'result', method: 'tasks/result', params: { taskId } }),
});

export const LISTEN = { method: 'GET' };
