import type { Arguments } from '../client.ts';
import { bearer } from '../http.ts';

export type Revision = '2025-06-18' | '2025-11-25' | '2026-07-28';

export interface Rpc {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const CLIENT = { name: 'errand-tests', version: '1.0.0' };

/** Makes a request as a client of that revision sends it. */
export function rpc(
  revision: Revision,
  id: number,
  method: string,
  params: Arguments = {},
  client_capabilities: object = {},
): Rpc {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': client_capabilities,
    'io.modelcontextprotocol/clientInfo': CLIENT,
  };
  return { jsonrpc: '2.0', id, method, params: revision === '2026-07-28' ? { ...params, _meta: meta } : params };
}

export const initialize = (revision: Revision, id: number): Rpc =>
  rpc(revision, id, 'initialize', { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT });

/** Returns the headers that a client of the revision sends with a message. */
export function mcpHeaders(revision: Revision, token: string, message: Pick<Rpc, 'method' | 'params'>) {
  const name = message.params.name ?? message.params.taskId;
  const modern =
    revision === '2026-07-28'
      ? { 'mcp-method': message.method, ...(typeof name === 'string' ? { 'mcp-name': name } : {}) }
      : {};
  return {
    ...bearer(token),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(message.method === 'initialize' ? {} : { 'mcp-protocol-version': revision }),
    ...modern,
  };
}
