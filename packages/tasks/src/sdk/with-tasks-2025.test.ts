import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { type McpServer, Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { createTasks } from '#create-tasks';
import { memoryStore } from '#stores/memory';
import { askModern } from './testing/modern-http.ts';
import { createSdkServer, openSdkHost, type SdkHost, TOOLS } from './testing/sdk-host.ts';
import { withTasks } from './with-tasks.ts';

/** Posts one message of 2025, without a session unless one is given. */
async function post({ url }: SdkHost, message: object, session?: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer ann',
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'Mcp-Session-Id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  const text = await response.text();
  const messages = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  return { session: response.headers.get('mcp-session-id'), messages, last: messages.at(-1) };
}

async function connected(server: Server | McpServer): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' }, { capabilities: { elicitation: {} } });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

const call = (name: string, params = {}) => ({ method: 'tools/call', params: { name, arguments: {}, ...params } });

const initialize = (capabilities: object) => ({
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'tests', version: '1' } },
});

it('[A2] refuses a task of a tool that forbids tasks, without running it', async () => {
  const tasks = createTasks({ store: memoryStore(), tools: TOOLS });
  const server = new Server({ name: 'low', version: '1' }, { capabilities: { tools: {} } });
  withTasks(server, { tasks });
  let runs = 0;
  server.setRequestHandler('tools/call', async () => {
    runs += 1;
    return { content: [] };
  });
  const client = await connected(server);

  const answer = client.callTool({ name: 'plain', arguments: {}, task: {} });

  await expect(answer).rejects.toMatchObject({ code: -32601 });
  expect(runs).toBe(0);
  await client.close();
  await tasks.close();
});

it('[A9, INTG-01] declares tasks to 2025-11-25 and to no other revision', async () => {
  await using host = await openSdkHost();
  const older = { ...initialize({}), params: { ...initialize({}).params, protocolVersion: '2025-06-18' } };

  const now = await post(host, initialize({}));
  const before = await post(host, older);
  const later = await askModern(host.url, { method: 'server/discover', params: {} });

  const requests = { tools: { call: {} } };
  expect(now.last.result.capabilities).toMatchObject({ tasks: { requests }, experimental: { tasks: { requests } } });
  expect(before.last.result.protocolVersion).toBe('2025-06-18');
  expect(before.last.result.capabilities).not.toHaveProperty('tasks');
  expect(before.last.result.capabilities).not.toHaveProperty('experimental');
  expect(later.body.result).toMatchObject({ capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } });
  expect(later.body.result).not.toHaveProperty('capabilities.experimental');
  expect(later.body.result).not.toHaveProperty('capabilities.tasks');
});

it('[B4] knows no tasks/update', async () => {
  await using host = await openSdkHost();

  const { last } = await post(host, { method: 'tasks/update', params: { taskId: 'x', inputResponses: {} } });

  expect(last.error).toMatchObject({ code: -32601 });
});

it('[A2] refuses a plain call of a tool that runs as a task only', async () => {
  await using host = await openSdkHost();

  const { last } = await post(host, call('long'));

  expect(last.error).toMatchObject({ code: -32601 });
});

it('[A2] refuses invalid arguments with a JSON-RPC error, since a tool result is no task', async () => {
  await using host = await openSdkHost();

  const { last } = await post(host, call('count', { arguments: { to: 'many' }, task: {} }));

  expect(last.error).toMatchObject({ code: -32602, message: expect.stringContaining('Invalid arguments') });
  expect((await host.tasks.list('sub:ann')).tasks).toEqual([]);
});

it('[A11] gives the model its immediate response', async () => {
  await using host = await openSdkHost();

  const { last } = await post(host, call('long', { task: { ttl: 5_000 } }));

  expect(last.result).toMatchObject({
    task: { status: 'working', ttl: 5_000 },
    _meta: { 'io.modelcontextprotocol/model-immediate-response': 'This takes a while.' },
  });
});

it('[A5] lists the tasks of the user', async () => {
  await using host = await openSdkHost();
  await post(host, call('endless', { task: {} }));
  await post(host, call('endless', { task: {} }));

  const { last } = await post(host, { method: 'tasks/list', params: {} });

  expect(last.result.tasks).toHaveLength(2);
});

it('[A8] asks a client on the stream of `tasks/result`, and takes the answer in any other request', async () => {
  await using host = await openSdkHost();
  const { session } = await post(host, initialize({ elicitation: {} }));
  const { last } = await post(host, call('confirm', { task: {} }), session ?? '');
  const { taskId } = last.result.task;
  const waiting = post(host, { method: 'tasks/result', params: { taskId } }, session ?? '');
  await expect.poll(async () => (await host.tasks.get('sub:ann', taskId)).status).toBe('input_required');

  const id = `task-input:${taskId}:sure`;
  await post(host, { id, result: { action: 'accept', content: { sure: true } } }, session ?? '');
  const { messages } = await waiting;

  const question = messages.find(({ method }) => method === 'elicitation/create');
  expect(question).toMatchObject({
    id,
    params: { message: 'Delete it?', _meta: { 'io.modelcontextprotocol/related-task': { taskId } } },
  });
  expect(messages.at(-1).result).toMatchObject({ content: [{ text: 'accept {"sure":true}' }] });
});

it('[A8] asks no client that did not declare support', async () => {
  await using host = await openSdkHost();
  const { session } = await post(host, initialize({}));
  const { last } = await post(host, call('confirm', { task: {} }), session ?? '');
  const { taskId } = last.result.task;
  const waiting = post(host, { method: 'tasks/result', params: { taskId } }, session ?? '');
  await expect.poll(async () => (await host.tasks.get('sub:ann', taskId)).status).toBe('input_required');

  await post(host, { method: 'tasks/cancel', params: { taskId } }, session ?? '');

  const { messages } = await waiting;
  expect(messages.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
});

it('[A8] asks a client that only polls with its second poll, and once', async () => {
  await using host = await openSdkHost();
  const questions = async (capabilities: object) => {
    const { session } = await post(host, initialize(capabilities));
    const { last } = await post(host, call('confirm', { task: {} }), session ?? '');
    const { taskId } = last.result.task;
    await expect.poll(async () => (await host.tasks.get('sub:ann', taskId)).status).toBe('input_required');
    const counts = [];
    for (let poll = 1; poll <= 3; poll += 1) {
      const { messages } = await post(host, { method: 'tasks/get', params: { taskId } }, session ?? '');
      counts.push(messages.filter(({ method }) => method === 'elicitation/create').length);
    }
    return counts;
  };

  const [able, unable] = [await questions({ elicitation: {} }), await questions({})];

  expect(able).toEqual([0, 1, 0]);
  expect(unable).toEqual([0, 0, 0]);
});

it('[R6] cancels the work when a plain call cannot ask', async () => {
  await using host = await openSdkHost();

  const { last } = await post(host, call('confirm'));

  expect(last.result).toMatchObject({ isError: true });
  await expect.poll(async () => (await host.tasks.list('plain:sub:ann')).tasks[0]?.status).toBe('cancelled');
});

it('[C2] asks within a plain call on a lasting connection', async () => {
  const tasks = createTasks({ store: memoryStore(), tools: TOOLS });
  const server = createSdkServer(tasks, () => ({ subject: 'local' }));
  const client = await connected(server);
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { sure: true } }));

  const result = await client.callTool({ name: 'confirm', arguments: {} });

  expect(result.content).toMatchObject([{ text: 'accept {"sure":true}' }]);
  await client.close();
  await tasks.close();
});

it('[A12] sends the progress of a plain call', async () => {
  await using host = await openSdkHost();

  const { messages } = await post(host, call('count', { _meta: { progressToken: 'p' } }));

  expect(messages.find(({ method }) => method === 'notifications/progress')?.params).toMatchObject({
    progressToken: 'p',
    progress: 1,
    total: 2,
  });
});

it('[A2] serves a low-level server too', async () => {
  const tasks = createTasks({ store: memoryStore(), tools: TOOLS });
  const server = new Server({ name: 'low', version: '1' }, { capabilities: { tools: {} } });
  const run = withTasks(server, { tasks, requestorOf: () => ({ subject: 'local' }) });
  server.setRequestHandler('tools/call', ({ params }, ctx) => run(params.name, params.arguments ?? {}, ctx));
  const client = await connected(server);

  const result = await client.callTool({ name: 'count', arguments: { to: 2 } });

  expect(result.content).toMatchObject([{ text: 'counted to 2' }]);
  await client.close();
  await tasks.close();
});
