import { randomUUID } from 'node:crypto';
import { isObject } from '#json';

const REVISION = '2026-07-28';

export const DECLARING_TASKS = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

export interface ModernAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface ModernRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface ModernOptions {
  readonly user?: string;
  readonly capabilities?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Makes a request of 2026-07-28, with the headers that repeat its body. */
export function modernRequest(url: URL, request: ModernRequest, options: ModernOptions = {}): Request {
  const { user = 'ann', capabilities = DECLARING_TASKS, signal } = options;
  const { method, params = {} } = request;
  const name = params.taskId ?? params.name;
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  };
  const _meta = { ...envelope, ...(isObject(params._meta) && params._meta) };
  return new Request(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${user}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': REVISION,
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params: { ...params, _meta } }),
    ...(signal && { signal }),
  });
}

export const postModern = (url: URL, request: ModernRequest, options?: ModernOptions): Promise<Response> =>
  fetch(modernRequest(url, request, options));

/** Sends a request, and returns the last message of the answer, from JSON or from a stream. */
export async function askModern(url: URL, request: ModernRequest, options?: ModernOptions): Promise<ModernAnswer> {
  const response = await postModern(url, request, options);
  const text = await response.text();
  const frames = text.split('\n').filter((line) => line.startsWith('data: '));
  const body: unknown = JSON.parse(frames.at(-1)?.slice('data: '.length) ?? text);
  return { status: response.status, body: isObject(body) ? body : {} };
}
