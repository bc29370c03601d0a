import type { JsonObject } from '#json';

export const VERSION = '2026-07-28';

export const META: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Capabilities of a client with tasks that answers questions. */
export const WITH_TASKS: JsonObject = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

export interface Message {
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a request as 2025 clients send it after `initialize`. */
export const a2025Request = (method: string, params: JsonObject = {}, id: string | number = 1): Message => ({
  body: { jsonrpc: '2.0', id, method, params },
  headers: { 'mcp-protocol-version': '2025-11-25' },
});

/** Makes a request as 2026 clients send it, with all required headers. */
export function a2026Request(method: string, params: JsonObject = {}, meta: JsonObject = {}): Message {
  const { name, uri, taskId }: { readonly name?: unknown; readonly uri?: unknown; readonly taskId?: unknown } = params;
  const named = name ?? uri ?? taskId;
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...META, ...meta } } },
    headers: {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof named === 'string' && { 'mcp-name': named }),
    },
  };
}

export const INITIALIZE: Message = {
  body: {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'tester', version: '1' },
    },
  },
  headers: {},
};
