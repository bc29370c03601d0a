import { expect } from 'vitest';
import type { Answer, Client, Driver } from '../client.ts';
import { type Received, send } from '../http.ts';
import { initialize, mcpHeaders, type Revision, type Rpc, rpc } from './mcp-messages.ts';
import { answerOf, resultOf } from './mcp-wire.ts';

export const mcpPost = (
  origin: string,
  path: string,
  token: string,
  revision: Revision,
  message: Rpc,
): Promise<Received> =>
  send(origin, { path, headers: mcpHeaders(revision, token, message), body: JSON.stringify(message) });

/** A strict client of one revision over Streamable HTTP, without a library. */
export const mcpHttp = (revision: Revision, origin: string): Driver => ({
  name: `MCP ${revision} over HTTP`,
  connect: async (token) => {
    if (revision !== '2026-07-28') await shakeHands(revision, origin, token);
    let last = 1;
    const call: Client['call'] = async (tool, args): Promise<Answer> => {
      const message = rpc(revision, ++last, 'tools/call', { name: tool, arguments: args });
      const received = await mcpPost(origin, '/mcp/todo', token, revision, message);
      expect(received.status, received.text).toBe(200);
      expect(received.headers['content-type']).toMatch(/^application\/json\b/);
      return answerOf(resultOf(revision, message, received.text));
    };
    return { call, [Symbol.asyncDispose]: async () => {} };
  },
});

async function shakeHands(revision: Revision, origin: string, token: string): Promise<void> {
  const hello = initialize(revision, 1);
  const received = await mcpPost(origin, '/mcp/todo', token, revision, hello);
  expect(received.status, received.text).toBe(200);
  const result = resultOf(revision, hello, received.text);
  expect(result).toMatchObject({
    protocolVersion: revision,
    capabilities: { tools: {} },
    serverInfo: { name: 'errand' },
  });

  const notice = { jsonrpc: '2.0', method: 'notifications/initialized', params: {} };
  const accepted = await send(origin, {
    path: '/mcp/todo',
    headers: mcpHeaders(revision, token, notice),
    body: JSON.stringify(notice),
  });
  expect(accepted).toMatchObject({ status: 202, text: '' });
}
