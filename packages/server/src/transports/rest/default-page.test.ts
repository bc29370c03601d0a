import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_SCOPES } from '#domain/scope';
import { ask, createServed } from '#testing/served';

const TASKS = 60;
/** Clients cut what is longer. */
const MAX_CHARACTERS = 4_000;
const REVISION = '2026-07-28';

let served: Awaited<ReturnType<typeof createServed>>;
let headers: Readonly<Record<string, string>>;
let project_id: string;

const post = async (path: string, body: object, more: Readonly<Record<string, string>> = {}) => {
  const said = await ask(`${served.url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
  });
  expect(said.status, said.text).toBeLessThan(300);
  return said.json;
};

beforeAll(async () => {
  served = await createServed();
  const { token } = await served.world.token({ scopes: ALL_SCOPES, user_ids: undefined });
  headers = { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' };
  project_id = String((await post('/api/v1/tools/admin_add_project', { name: 'Shop' })).project_id);
  const tasks = Array.from({ length: TASKS }, (_, i) => ({ ref: `t${i}`, title: `Task ${i} of a usual length` }));
  await post('/api/v1/tools/create_tasks', { project_id, tasks });
});
afterAll(() => served[Symbol.asyncDispose]());

/** The same question over MCP. */
async function overMcp(args: object): Promise<unknown> {
  const params = {
    name: 'list_tasks',
    arguments: { project_id, ...args },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    },
  };
  const { result } = await post(
    '/mcp/board',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': 'list_tasks',
    },
  );
  return (result as { structuredContent: unknown }).structuredContent;
}

const overRest = (query: string) => ask(`${served.url}/api/v1/board/projects/${project_id}/tasks${query}`, { headers });

it('answers a list over REST with the rows that fit, as over MCP', async () => {
  const { text, json } = await overRest('');

  expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(json).toMatchObject({ tasks: expect.anything(), next_cursor: expect.any(String) });
  expect(json).toEqual(await overMcp({}));
});

it('answers as many rows as the caller asks for, over both', async () => {
  const { json } = await overRest('?limit=50');

  expect(json.tasks).toHaveLength(50);
  expect(json).toEqual(await overMcp({ limit: 50 }));
});
