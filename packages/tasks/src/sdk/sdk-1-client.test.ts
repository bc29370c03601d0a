import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { openSdkHost, type SdkHost } from './testing/sdk-host.ts';

async function connect({ url }: SdkHost, user = 'ann'): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'tests', version: '1' }, { capabilities: { elicitation: {} } });
  const headers = { Authorization: `Bearer ${user}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function collect(client: Client, name: string, args = {}) {
  const messages = [];
  const stream = client.experimental.tasks.callToolStream({ name, arguments: args }, CallToolResultSchema, {
    task: { ttl: 60_000 },
  });
  for await (const message of stream) messages.push(message);
  return messages;
}

it('[A2, A3, A4] runs a tool of the SDK as a task for the SDK 1 client', async () => {
  await using host = await openSdkHost();
  await using client = await connect(host);

  const messages = await collect(client, 'count', { to: 5 });

  expect(messages[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working', ttl: 60_000 } });
  expect(messages.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'counted to 5' }] } });
});

it('[A9] lists which tools run as tasks, and declares tasks', async () => {
  await using host = await openSdkHost();
  await using client = await connect(host);

  const { tools } = await client.listTools();

  const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
  expect(support).toMatchObject({ count: 'optional', long: 'required', greet: undefined });
  expect(client.getServerCapabilities()?.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
});

it('[A8, C2] asks the user on the stream of the result, and continues with the answer', async () => {
  await using host = await openSdkHost();
  await using client = await connect(host);
  let asked = 0;
  client.setRequestHandler(ElicitRequestSchema, async (): Promise<ElicitResult> => {
    asked += 1;
    return { action: 'accept', content: { sure: true } };
  });

  const messages = await collect(client, 'confirm');

  expect(messages.at(-1)).toMatchObject({ result: { content: [{ text: 'accept {"sure":true}' }] } });
  expect(asked).toBe(1);
});

it('[A6, R6] cancels a task', async () => {
  await using host = await openSdkHost();
  await using client = await connect(host);
  const { task } = await client.request(
    { method: 'tools/call', params: { name: 'endless', task: {} } },
    CreateTaskResultSchema,
  );

  const cancelled = await client.experimental.tasks.cancelTask(task.taskId);

  expect(cancelled.status).toBe('cancelled');
});
