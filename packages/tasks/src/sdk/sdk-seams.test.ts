import {
  createMcpHandler,
  McpServer,
  Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { modernRequest } from './testing/modern-http.ts';

/** The SDK behaviour that the adapter needs. When a test fails, the SDK has changed: a seam may be gone or unneeded. */

const ANY: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': { version: 1, vendor: 'tests', validate: (value) => ({ value: value as Record<string, unknown> }) },
};
const MCP = new URL('http://localhost/mcp');
const INFO = { name: 'seams', version: '1' };
const TASK = {
  taskId: '11111111-1111-4111-8111-111111111111',
  status: 'working',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUpdatedAt: '2026-01-01T00:00:00.000Z',
};
const CALL = { method: 'tools/call', params: { name: 'any', arguments: {}, task: {} } };

function createServer(answer: unknown = { content: [] }): Server {
  const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
  const server = new Server(INFO, { capabilities: { tools: {}, tasks } });
  server.setRequestHandler('tools/call', async () => answer as never);
  return server;
}

async function read(response: Response) {
  const text = await response.text();
  const data = text.split('\n').findLast((line) => line.startsWith('data: '));
  return { status: response.status, ...JSON.parse(data?.slice(6) ?? text) };
}

const modern = async (build: () => Server | McpServer, request: { method: string; params: object }) =>
  read(await createMcpHandler(build).fetch(modernRequest(MCP, { ...request, params: { ...request.params } })));

const legacy = async (build: () => Server | McpServer, request: object) =>
  read(
    await createMcpHandler(build).fetch(
      new Request(MCP, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
      }),
    ),
  );

describe('the SDK', () => {
  it('[A2] drops the task of a handler in 2025', async () => {
    const answer = await legacy(() => createServer({ task: { ...TASK, ttl: null } }), CALL);

    expect(answer.error).toMatchObject({ code: -32602 });
  });

  it('[B1] adds content to the task of a handler in 2026', async () => {
    const answer = await modern(() => createServer({ resultType: 'task', ...TASK, ttlMs: null }), CALL);

    expect(answer.result).toMatchObject({ resultType: 'task', content: [] });
  });

  it('[A9] leaves taskSupport out of the list of tools', async () => {
    const build = () => {
      const server = new McpServer(INFO);
      server.registerTool('any', { execution: { taskSupport: 'optional' } } as object, async () => ({ content: [] }));
      return server;
    };

    const answer = await legacy(build, { method: 'tools/list', params: {} });

    expect(answer.result.tools[0]).not.toHaveProperty('execution');
  });

  it('[A9] declares the capability of tasks in 2025 and not in 2026', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };

    const initialized = await legacy(createServer, { method: 'initialize', params });
    const discovered = await modern(createServer, { method: 'server/discover', params: {} });

    expect(initialized.result.capabilities).toHaveProperty('tasks');
    expect(discovered.result.capabilities).not.toHaveProperty('tasks');
  });

  it('[A3, B3, B4] serves methods of tasks that are given with a schema', async () => {
    const build = () => {
      const server = createServer();
      for (const name of ['get', 'cancel', 'update', 'result', 'list']) {
        server.setRequestHandler(`tasks/${name}`, { params: ANY }, async () => ({ name }));
      }
      return server;
    };
    const ask = (name: string) => ({ method: `tasks/${name}`, params: { taskId: TASK.taskId } });

    const legacies = await Promise.all(['get', 'cancel', 'result', 'list'].map((name) => legacy(build, ask(name))));
    const moderns = await Promise.all(['get', 'cancel', 'update'].map((name) => modern(build, ask(name))));
    const refused = await Promise.all(['result', 'list'].map((name) => modern(build, ask(name))));

    expect(legacies.map(({ result }) => result.name)).toEqual(['get', 'cancel', 'result', 'list']);
    expect(moderns.map(({ result }) => result.name)).toEqual(['get', 'cancel', 'update']);
    for (const answer of refused) expect(answer).toMatchObject({ status: 404, error: { code: -32601 } });
  });

  it('[B4] takes the answers out of the params of an update', async () => {
    const seen: unknown[] = [];
    const build = () => {
      const server = createServer();
      server.setRequestHandler('tasks/update', { params: ANY }, async (params, ctx: ServerContext) => {
        seen.push(params, ctx.mcpReq.inputResponses);
        return {};
      });
      return server;
    };

    const inputResponses = { good: { action: 'accept' }, odd: { method: 'x' } };
    await modern(build, { method: 'tasks/update', params: { taskId: TASK.taskId, inputResponses } });

    expect(seen).toEqual([{ taskId: TASK.taskId }, { good: { action: 'accept' } }]);
  });

  it('[B8] drops the ids of tasks from a subscription', async () => {
    const params = { notifications: { taskIds: [TASK.taskId] } };
    const response = await createMcpHandler(createServer).fetch(
      modernRequest(MCP, { method: 'subscriptions/listen', params }),
    );

    const text = await response.text();

    expect(text).toContain('notifications/subscriptions/acknowledged');
    expect(text).not.toContain(TASK.taskId);
  });

  it('[B2] turns a missing capability into a tool error in a handler of registerTool', async () => {
    const build = () => {
      const server = new McpServer(INFO);
      server.registerTool('any', {}, async () => {
        throw Object.assign(new Error('missing'), { code: -32021 });
      });
      return server;
    };

    const answer = await modern(build, CALL);

    expect(answer.result).toMatchObject({ isError: true });
  });
});
