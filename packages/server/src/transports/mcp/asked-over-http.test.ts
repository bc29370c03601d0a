import { describe, expect, it, vi } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { a2025Client, LISTEN, resultOf } from '#testing/mcp-2025-client';
import { createServed } from '#testing/served';

const OPTIONS = JSON.stringify([{ option: 'yes', name: 'Allow', kind: 'allow_once' }]);
const PERMISSION = { kind: 'permission', question: 'Run npm test?', details: null, options: OPTIONS } as const;
const COMPLETED = { status: 'completed', reason: null, summary: 'All green.' } as const;
const OFTEN = { interval: 25 };

/** Makes a run as a task of a 2025 session. Its agent asks a question. */
async function aRunThatAsks(
  served: Awaited<ReturnType<typeof createServed>>,
  connected: (client: ReturnType<typeof a2025Client>, session: Readonly<Record<string, string>>) => unknown = () =>
    null,
) {
  const board = await aBoard(served.world);
  const worker = await aWorker(served.world);
  const { token } = await served.world.token({ scopes: ['board:read', 'board:run', 'execution:report'] });
  const client = a2025Client(`Bearer ${String(token)}`);
  const session = await client.open(served.url);
  await connected(client, session);
  const args = { task_id: board.task_id, executor: 'scripted', repos: [{ repo_id: board.repo_id }] };
  const call = { name: 'start_task_attempt', arguments: args, task: {} };
  const { json } = await client.request(served.url, 'tools/call', call, session);
  const { taskId } = (json.result as { task: { taskId: string } }).task;
  const run = await vi.waitFor(worker.take, OFTEN);
  await worker.log.ask(run, PERMISSION);
  return {
    ...{ client, session, taskId },
    /** The answer that the agent got; undefined before it got one. */
    answered: async () => (await worker.log.answered(run))[0],
    finish: () => worker.finish(run, COMPLETED, []),
  };
}

describe.concurrent('a question of an agent to a 2025 client over HTTP', () => {
  it.each(['the server that holds the stream', 'another server'])(
    '[A4, A8] comes on `tasks/result`, and %s takes the answer',
    async (taker) => {
      await using served = await createServed();
      await using other = await served.beside();
      const { client, session, taskId, answered } = await aRunThatAsks(served);

      const waiting = await client.stream(served.url, resultOf(taskId), session);
      await vi.waitFor(() => expect(waiting.questions()).toHaveLength(1), OFTEN);
      const [question = {}] = waiting.questions();
      const result = { action: 'accept', content: { answer: 'yes' } };
      const url = taker === 'another server' ? other.url : served.url;
      const taken = await client.post(url, { jsonrpc: '2.0', id: question.id, result }, session);

      expect(question).toMatchObject({
        id: expect.stringContaining(taskId),
        params: {
          message: expect.stringContaining('Run npm test?'),
          _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
        },
      });
      expect(taken.status).toBe(202);
      await vi.waitFor(async () => expect(await answered()).toMatchObject({ status: 'approved' }), OFTEN);
    },
  );

  it('[A8] comes on the stream of the session at one server when the task was made at another', async () => {
    await using served = await createServed();
    await using other = await served.beside();
    const opened = Promise.withResolvers<Awaited<ReturnType<ReturnType<typeof a2025Client>['stream']>>>();

    await aRunThatAsks(served, async (client, session) => {
      opened.resolve(await client.stream(other.url, LISTEN, session));
    });
    const listening = await opened.promise;

    await vi.waitFor(() => expect(listening.questions()).toHaveLength(1), OFTEN);
  });

  it('[A8] is asked once, with streams at two servers', async () => {
    await using served = await createServed();
    await using other = await served.beside();
    const { client, session, taskId } = await aRunThatAsks(served);
    const waiting = await client.stream(served.url, resultOf(taskId), session);
    await vi.waitFor(() => expect(waiting.questions()).toHaveLength(1), OFTEN);

    const again = await client.stream(other.url, resultOf(taskId), session);
    // The stream begins with an event id, or with the question directly after it.
    await vi.waitFor(() => expect(again.lastEventId()).not.toBe(''), OFTEN);
    const meanwhile = again.questions();
    waiting.close();
    await waiting.over;

    expect(meanwhile).toEqual([]);
    await vi.waitFor(() => expect(again.questions()).toHaveLength(1), OFTEN);
  });

  it('[A4, A8] is asked again at another server where a broken `tasks/result` is resumed', async () => {
    await using served = await createServed();
    await using other = await served.beside();
    const { client, session, taskId, answered, finish } = await aRunThatAsks(served);
    const broken = await client.stream(served.url, resultOf(taskId), session);
    await vi.waitFor(() => expect(broken.questions()).toHaveLength(1), OFTEN);
    broken.close();
    await broken.over;

    const resumed = await client.stream(other.url, LISTEN, { ...session, 'last-event-id': broken.lastEventId() });
    await vi.waitFor(() => expect(resumed.questions()).toHaveLength(1), OFTEN);
    const result = { action: 'accept', content: { answer: 'yes' } };
    await client.post(other.url, { jsonrpc: '2.0', id: resumed.questions()[0]?.id, result }, session);
    await vi.waitFor(async () => expect(await answered()).toMatchObject({ status: 'approved' }), OFTEN);
    await finish();
    await resumed.over;

    expect(resumed.messages().at(-1)).toMatchObject({ id: 'result', result: { structuredContent: {} } });
  });
});
