import { execPath } from 'node:process';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Agent, MCPServerStdio, MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from './http.ts';
import { ERRAND, errandJson, placeFlags } from './program.ts';
import { ScriptedModel } from './scripted-model.ts';
import { openWorld, type World } from './world.ts';

const TOOLS = ['add_task', 'complete_task', 'delete_task', 'list_tasks', 'update_task'];
const ME = { name: 'errand-tests', version: '1.0.0' };

setTracingDisabled(true);

let world: World;
beforeAll(async () => {
  world = await openWorld('sqlite');
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

const url = () => new URL(`${world.server.origin}/mcp/todo`);
const headers = () => ({ requestInit: { headers: bearer(world.service) } });
const pipes = () => ({
  command: execPath,
  args: [ERRAND, 'mcp', '--profile', 'todo', ...placeFlags(world.place)],
  env: { ERRAND_TOKEN: world.service },
});

const PINNED = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

interface Connected {
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function v1(transport: HttpV1 | StdioV1): Promise<Connected> {
  const client = new ClientV1(ME);
  // The cast: its transports leave `sessionId` undefined, which its interface forbids under exact optional types.
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  return client;
}

async function v2(transport: HttpV2 | StdioV2, options = {}): Promise<Connected> {
  const client = new ClientV2(ME, options);
  await client.connect(transport);
  return client;
}

const CLIENTS: readonly [name: string, connect: () => Promise<Connected>][] = [
  ['SDK 1.32 over HTTP', () => v1(new HttpV1(url(), headers()))],
  ['SDK 1.32 over stdio', () => v1(new StdioV1(pipes()))],
  ['SDK 2.4 legacy over HTTP', () => v2(new HttpV2(url(), headers()))],
  ['SDK 2.4 legacy over stdio', () => v2(new StdioV2(pipes()))],
  ['SDK 2.4 pinned to 2026-07-28 over HTTP', () => v2(new HttpV2(url(), headers()), PINNED)],
  ['SDK 2.4 pinned to 2026-07-28 over stdio', () => v2(new StdioV2(pipes()), PINNED)],
];

describe.each(CLIENTS)('%s', (_, connect) => {
  it('[FR-001, FR-002] lists the five tools and calls them', async () => {
    const user_id = world.person();
    const client = await connect();

    const { tools } = await client.listTools();
    const added = await client.callTool({ name: 'add_task', arguments: { user_id, title: 'Buy milk' } });
    const listed = await client.callTool({ name: 'list_tasks', arguments: { user_id } });
    const refused = await client.callTool({ name: 'add_task', arguments: { user_id, title: '' } });
    await client.close();

    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
    expect(added).toMatchObject({ structuredContent: { status: 'created', title: 'Buy milk' } });
    expect(listed).toMatchObject({ structuredContent: { tasks: [{ title: 'Buy milk', completed: false }] } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'VALIDATION_ERROR' } } });
  });
});

const EVERY_SCOPE =
  'workspace:read,project:read,issue:read,issue:comment,todo:read,board:read,board:write,board:run,execution:report';

/** The address with all tools, for a caller that may call all of them. */
const EVERYTHING: readonly [name: string, connect: (address: URL, token: string) => Promise<Connected>][] = [
  ['SDK 1.32', (at, token) => v1(new HttpV1(at, { requestInit: { headers: bearer(token) } }))],
  ['SDK 2.4', (at, token) => v2(new HttpV2(at, { requestInit: { headers: bearer(token) } }), PINNED)],
];

describe.each(EVERYTHING)('%s', (_, connect) => {
  it.each(['/mcp', '/mcp/board'])('holds the answers of the board to the schemas of %s', async (path) => {
    const asked = ['token', 'create', '--kind', 'user', '--name', 'all', '--scopes', EVERY_SCOPE];
    const token = String((await errandJson([...asked, ...placeFlags(world.place)])).token);
    const client = await connect(new URL(path, world.server.origin), token);

    await client.listTools();
    const projects = await client.callTool({ name: 'list_projects', arguments: {} });
    const [{ project_id } = { project_id: '' }] = (
      projects as { structuredContent: { projects: { project_id: string }[] } }
    ).structuredContent.projects;
    const created = await client.callTool({ name: 'create_task', arguments: { project_id, title: 'Paint the fence' } });
    const taken = await client.callTool({ name: 'next_task', arguments: { project_id } });
    const refused = await client.callTool({ name: 'get_task', arguments: { task_id: 'none' } });
    await client.close();

    expect(created).toMatchObject({ structuredContent: { title: 'Paint the fence', latest_attempt_id: null } });
    expect(taken).toMatchObject({ structuredContent: { task: { title: 'Paint the fence' }, claim: { epoch: 1 } } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'not_found' } } });
  });
});

const SERVERS: readonly [name: string, make: () => MCPServerStreamableHttp | MCPServerStdio][] = [
  ['HTTP', () => new MCPServerStreamableHttp({ url: url().href, requestInit: { headers: bearer(world.service) } })],
  ['stdio', () => new MCPServerStdio(pipes())],
];

describe.each(SERVERS)('an agent of the OpenAI Agents SDK over %s', (_, make) => {
  it('[SC-007] calls all five tools', async () => {
    const user_id = world.person();
    const server = make();
    await server.connect();
    const model = new ScriptedModel([
      { name: 'add_task', arguments: { user_id, title: 'Buy groceries' } },
      { name: 'list_tasks', arguments: { user_id } },
      { name: 'complete_task', arguments: { user_id, task_id: '$task_id' } },
      { name: 'update_task', arguments: { user_id, task_id: '$task_id', title: 'Buy food' } },
      { name: 'delete_task', arguments: { user_id, task_id: '$task_id' } },
    ]);
    const agent = new Agent({ name: 'Assistant', instructions: 'Keep the list.', model, mcpServers: [server] });

    const { finalOutput } = await run(agent, 'Mind my groceries.');
    await server.close();

    expect(finalOutput).toBe('Done.');
    expect(model.results).toEqual([
      expect.objectContaining({ status: 'created', title: 'Buy groceries' }),
      { tasks: [expect.objectContaining({ title: 'Buy groceries', completed: false })] },
      expect.objectContaining({ status: 'completed' }),
      expect.objectContaining({ status: 'updated', title: 'Buy food', completed: true }),
      expect.objectContaining({ status: 'deleted', title: 'Buy food' }),
    ]);
  });
});
