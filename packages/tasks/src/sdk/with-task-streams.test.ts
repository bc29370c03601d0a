import { expect, it } from 'vitest';
import { createTasks } from '#create-tasks';
import { isObject } from '#json';
import { memoryStore } from '#stores/memory';
import { mintSession, readSession } from './session.ts';
import { askModern, modernRequest, postModern } from './testing/modern-http.ts';
import { openSdkHost, type SdkHost } from './testing/sdk-host.ts';
import { withTaskStreams } from './with-task-streams.ts';

type Message = Readonly<Record<string, unknown>>;

async function* readEvents(response: Response): AsyncGenerator<Message> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const message: unknown = JSON.parse(frame.slice(frame.indexOf('data: ') + 6));
      if (isObject(message)) yield message;
    }
  }
}

const listen = (taskIds: readonly unknown[]) => ({
  method: 'subscriptions/listen',
  params: { notifications: { taskIds } },
});

async function begin({ url }: SdkHost, tool: string): Promise<string> {
  const { body } = await askModern(url, { method: 'tools/call', params: { name: tool, arguments: {} } });
  return (body.result as { readonly taskId: string }).taskId;
}

it('[B8] sends a task at every change, and acknowledges only the user’s tasks', async () => {
  await using host = await openSdkHost();
  const taskId = await begin(host, 'endless');
  const foreign = await host.tasks.create({ owner_id: 'sub:bob', tool: 'endless', arguments: {} });

  const events = readEvents(await postModern(host.url, listen([taskId, foreign.task_id])));
  const [acknowledged, now] = [await events.next(), await events.next()];
  await host.tasks.cancel('sub:ann', taskId);
  const last = await events.next();
  await events.return(undefined);

  expect(acknowledged.value).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { taskIds: [taskId] } },
  });
  expect(now.value).toMatchObject({ method: 'notifications/tasks', params: { taskId, status: 'working' } });
  expect(last.value).toMatchObject({
    params: { taskId, status: 'cancelled', _meta: { 'io.modelcontextprotocol/subscriptionId': expect.anything() } },
  });
});

it('[B9] answers -32021 and 400 to a client that does not declare tasks', async () => {
  await using host = await openSdkHost();

  const { status, body } = await askModern(host.url, listen([]), { capabilities: {} });

  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: -32021 });
});

it('[B8] ends its streams with a result when it closes', async () => {
  const host = await openSdkHost();
  const taskId = await begin(host, 'endless');
  const events = readEvents(await postModern(host.url, listen([taskId])));
  await events.next();
  await events.next();

  const [last] = await Promise.all([events.next(), host[Symbol.asyncDispose]()]);

  expect(last.value).toMatchObject({ result: { resultType: 'complete' } });
});

it('[B8] refuses streams beyond the limit', async () => {
  const tasks = createTasks({ store: memoryStore(), tools: {} });
  const handler = withTaskStreams({ fetch: async () => new Response(), close: async () => undefined }, { tasks });
  const authInfo = { token: '', clientId: 'tests', scopes: [] };
  const open = () => handler.fetch(modernRequest(new URL('http://localhost/mcp'), listen([])), { authInfo });
  await Promise.all(Array.from({ length: 1_024 }, open));

  const refused = await open();

  expect(await refused.json()).toMatchObject({ error: { code: -32603 } });
  await handler.close();
  await tasks.close();
});

it('[B8] leaves other subscriptions to the SDK', async () => {
  await using host = await openSdkHost();

  const request = { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } };
  const events = readEvents(await postModern(host.url, request));
  const { value } = await events.next();
  await events.return(undefined);

  expect(value).toMatchObject({ params: { notifications: { toolsListChanged: true } } });
});

it('[A8] reads the client’s capabilities from the id of a session, and from no other id', () => {
  const session = mintSession({ elicitation: { form: {} } });

  expect(readSession(session)).toEqual({ elicitation: { form: {} } });
  expect(readSession('0b1c')).toBeUndefined();
  expect(readSession(`${session}!`)).toBeUndefined();
  expect(readSession(session.replace(/[\w-]*$/, 'bm90IGpzb24'))).toBeUndefined();
  expect(readSession(mintSession({ experimental: 'x'.repeat(3_000) }))).toEqual({});
});
