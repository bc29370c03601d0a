import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#json';
import { aTaskHost, type TaskHost } from '#testing/a-task-host';
import { a2025Request, a2026Request, INITIALIZE, WITH_TASKS } from '#testing/messages';
import { serveStdio } from './stdio.ts';

type Line = Readonly<Record<string, unknown>>;

function connect(host: TaskHost) {
  const input = new PassThrough();
  const output = new PassThrough();
  let written = '';
  output.on('data', (chunk) => {
    written += String(chunk);
  });
  const over = serveStdio(host, { input, output, authenticate: async () => 'anna' });
  const lines = (): readonly Line[] =>
    written
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  return {
    send: (...bodies: readonly JsonObject[]) => {
      for (const body of bodies) input.write(`${JSON.stringify(body)}\n`);
    },
    lines,
    /** Waits for the first line that matches the predicate. */
    line: async (wanted: (line: Line) => boolean): Promise<Line> => {
      await expect.poll(() => lines().find(wanted)).toBeDefined();
      return lines().find(wanted) ?? {};
    },
    end: async () => {
      input.end();
      await over;
    },
  };
}

const call = (name: string): JsonObject => a2025Request('tools/call', { name, task: {} }, 'call').body;
const taskIdIn = ({ result }: Line) => (result as { readonly task: { readonly taskId: string } }).task.taskId;
const result = (taskId: string): JsonObject => a2025Request('tasks/result', { taskId }, 'result').body;

describe('tasks over stdio', () => {
  it('[A8] ask on the only stream, once, and continue with the answer', async () => {
    await using host = aTaskHost();
    const client = connect(host);
    client.send(INITIALIZE.body, call('confirm'));
    const taskId = taskIdIn(await client.line(({ id }) => id === 'call'));

    client.send(result(taskId));
    const question = await client.line(({ method }) => method === 'elicitation/create');
    client.send({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { a: 1 } } });
    const answer = await client.line(({ id }) => id === 'result');
    await client.end();

    expect(question.id).toBe(`task-input:${taskId}:sure`);
    expect(JSON.stringify(answer)).toContain('accept');
    expect(client.lines().filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
  });

  it('[A8] ask a client that never waits for the result', async () => {
    await using host = aTaskHost();
    const client = connect(host);

    client.send(INITIALIZE.body, call('confirm'));
    const question = await client.line(({ method }) => method === 'elicitation/create');
    await client.end();

    expect(question).toMatchObject({ params: { message: 'Sure?' } });
  });

  it('[A10, NOTF-01, NOTF-02] send changes of status, which polling confirms', async () => {
    await using host = aTaskHost();
    const client = connect(host);
    client.send(INITIALIZE.body, call('work'));
    const taskId = taskIdIn(await client.line(({ id }) => id === 'call'));

    client.send(a2025Request('tasks/get', { taskId }, 'get').body);
    await client.line(({ id }) => id === 'get');
    host.release();
    const notification = await client.line(({ method }) => method === 'notifications/tasks/status');
    client.send(result(taskId));
    const answer = await client.line(({ id }) => id === 'result');
    await client.end();

    expect(notification).toMatchObject({ params: { taskId, status: 'completed' } });
    expect(answer).toMatchObject({ result: { content: [{ text: 'worked' }] } });
  });

  it('[R6] continue when the client closes its end', async () => {
    await using host = aTaskHost();
    const client = connect(host);
    client.send(INITIALIZE.body, call('work'));
    const taskId = taskIdIn(await client.line(({ id }) => id === 'call'));

    client.send(result(taskId));
    await client.end();
    host.release();

    expect(await host.engine.wait('sub:anna', taskId)).toMatchObject({ status: 'completed' });
  });

  it('[B2, B3] are created and read in 2026', async () => {
    await using host = aTaskHost();
    const client = connect(host);
    client.send({ ...a2026Request('tools/call', { name: 'must' }, WITH_TASKS).body, id: 'call' });
    const made = await client.line(({ id }) => id === 'call');

    const { taskId } = made.result as { readonly taskId: string };
    await host.engine.wait('sub:anna', taskId);
    client.send({ ...a2026Request('tasks/get', { taskId }, WITH_TASKS).body, id: 'get' });
    const got = await client.line(({ id }) => id === 'get');
    await client.end();

    expect(made).toMatchObject({ result: { resultType: 'task' } });
    expect(got).toMatchObject({ result: { status: 'completed', result: { isError: true } } });
  });
});
