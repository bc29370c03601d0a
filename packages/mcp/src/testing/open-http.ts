import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpHost } from '#host';
import { createMcpHttp, type McpHttpOptions } from '#http/http';
import { isObject } from '#json';
import type { Message } from './messages.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; a list of messages for a stream. */
  readonly json: unknown;
}

export interface TestHttp extends AsyncDisposable {
  readonly url: string;
  readonly fetch: (init: RequestInit) => Promise<Response>;
  readonly send: (message: Message, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (body: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly close: () => void;
  readonly reported: unknown[];
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Serves a host on a real listener. The `x-caller` header names the caller. */
export async function openHttp(host: McpHost<string>, options: McpHttpOptions<string> = {}): Promise<TestHttp> {
  const reported: unknown[] = [];
  const mcp = createMcpHttp(host, { ...options, report: (error) => reported.push(error) });
  const server = createServer(
    (req, res) => void mcp.handle(req, res, { caller: String(req.headers['x-caller'] ?? 'anna') }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a server that listens on TCP has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;

  const post = async (body: string, headers: Readonly<Record<string, string>> = {}) =>
    await answerOf(await fetch(url, { method: 'POST', body, headers: { ...HEADERS, ...headers } }));

  return {
    url,
    fetch: (init) => fetch(url, init),
    send: (message, headers) => post(JSON.stringify(message.body), { ...message.headers, ...headers }),
    post,
    close: mcp.close,
    reported,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  const streamed = headers.get('content-type') === 'text/event-stream';
  if (streamed) return { status, headers, text, json: messagesIn(text) };
  return { status, headers, text, json: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** Returns the messages of an event stream, without events that only have an id. */
export const messagesIn = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line.length > 'data: '.length)
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);

/** Returns the code of the answered JSON-RPC error. */
export const codeOf = ({ json }: Answer): unknown => {
  const { error }: { readonly error?: unknown } = isObject(json) ? json : {};
  const { code }: { readonly code?: unknown } = isObject(error) ? error : {};
  return code;
};
