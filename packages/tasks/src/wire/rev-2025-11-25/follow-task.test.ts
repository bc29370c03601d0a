import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '#json';
import { memoryStore } from '#stores/memory';
import type { TaskHandler } from '#tasks';
import { aGate, openTasks } from '#testing/open-tasks';
import type { RpcNotification } from '#wire/json-rpc';
import { aQuestion } from '#wire/testing/any-record';
import { followTask } from './follow-task.ts';
import { createTaskMethods2025 } from './methods.ts';
import type { Question } from './questions.ts';

const requestor = { subject: 'alice' };
const owner_id = 'sub:alice';
const client_capabilities = { elicitation: {} };

/** Makes a client with a stream that keeps all messages it gets. */
function aClient(declared: JsonObject = client_capabilities) {
  const questions: Question[] = [];
  const notifications: RpcNotification[] = [];
  return {
    questions,
    notifications,
    statuses: () =>
      notifications
        .filter(({ method }) => method === 'notifications/tasks/status')
        .map(({ params: { status } }) => status),
    progress: () =>
      notifications.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params.progress),
    stream: {
      client_capabilities: declared,
      ask: (question: Question) => void questions.push(question),
      notify: (notification: RpcNotification) => void notifications.push(notification),
    },
  };
}

async function start(work: TaskHandler, progress_token: string | null = null) {
  const tasks = openTasks({ tools: { work } });
  const methods = createTaskMethods2025({ tasks });
  const { task_id } = await tasks.create({ owner_id, tool: 'work', arguments: {}, progress_token });
  return { tasks, methods, task_id, request: { params: { taskId: task_id }, requestor } };
}

const askTwice: TaskHandler = async ({ requireInput }) => {
  const first = await requireInput('first', aQuestion());
  const second = await requireInput('second', aQuestion());
  return { content: [], structuredContent: { first, second } };
};

const accept = (city: string): JsonObject => ({ action: 'accept', content: { city } });

describe('the stream of tasks/result', () => {
  it('[A8, C2] carries every question once when it is asked, and the answers lead to the result', async () => {
    const { methods, request } = await start(askTwice);
    const { questions, stream } = aClient();

    const result = methods.result(request, stream);
    await vi.waitFor(() => expect(questions).toHaveLength(1));
    await methods.answer({ id: questions[0]?.id, result: accept('Oslo') }, requestor);
    await vi.waitFor(() => expect(questions).toHaveLength(2));
    await methods.answer({ id: questions[1]?.id, result: accept('Bergen') }, requestor);

    const structuredContent = { first: accept('Oslo'), second: accept('Bergen') };
    expect(await result).toMatchObject({ structuredContent });
    expect(questions).toHaveLength(2);
  });

  it('[A8] carries a question again, with the same id, after an earlier stream was lost', async () => {
    const { methods, request } = await start(askTwice);
    const [lost, found] = [aClient(), aClient()];
    const gone = new AbortController();

    const first = methods.result(request, { ...lost.stream, signal: gone.signal });
    await vi.waitFor(() => expect(lost.questions).toHaveLength(1));
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    methods.result(request, found.stream).catch(() => undefined);

    await vi.waitFor(() => expect(found.questions).toEqual(lost.questions));
  });

  it('[A8] carries an open question once, also when the task changes often', async () => {
    const { tasks, methods, task_id, request } = await start(async ({ requireInput }) => {
      await Promise.all([requireInput('city', aQuestion()), requireInput('day', aQuestion())]);
      return { content: [] };
    });
    const { questions, notifications, stream } = aClient();

    const result = methods.result(request, stream);
    await vi.waitFor(() => expect(questions).toHaveLength(2));
    await tasks.updateStatus(owner_id, task_id, 'input_required', 'Where to?');
    await vi.waitFor(() => expect(notifications.at(-1)?.params).toMatchObject({ statusMessage: 'Where to?' }));
    for (const { id } of questions.slice()) await methods.answer({ id, result: accept('Oslo') }, requestor);
    await result;

    expect(questions).toHaveLength(2);
  });

  it('[A8] carries no question that the client did not declare support for', async () => {
    const { tasks, task_id, methods, request } = await start(askTwice);
    const { questions, stream } = aClient({ sampling: {} });

    const result = methods.result(request, stream);
    await vi.waitFor(async () => expect((await tasks.get(owner_id, task_id)).status).toBe('input_required'));
    await tasks.answer(owner_id, task_id, { first: accept('Oslo') });
    await vi.waitFor(async () => expect((await tasks.get(owner_id, task_id)).inputs).toHaveProperty('second'));
    await tasks.answer(owner_id, task_id, { second: accept('Bergen') });

    await result;
    expect(questions).toEqual([]);
  });

  it('[A10, NOTF-01] carries the changes of status, the last before the answer', async () => {
    const { methods, request } = await start(async ({ requireInput }) => {
      await requireInput('city', aQuestion());
      return { content: [] };
    });
    const { questions, statuses, stream } = aClient();

    const result = methods.result(request, { ...stream, known_status: 'working' });
    await vi.waitFor(() => expect(questions).toHaveLength(1));
    await methods.answer({ id: questions[0]?.id, result: accept('Oslo') }, requestor);
    await result;

    expect(statuses()).toEqual(expect.arrayContaining(['input_required', 'completed']));
    expect(statuses().at(-1)).toBe('completed');
  });

  it('[A10, NOTF-02] is optional: polling shows the same', async () => {
    const { methods, request, tasks, task_id } = await start(async () => ({ content: [] }));

    await tasks.wait(owner_id, task_id);

    expect(await methods.get(request)).toMatchObject({ status: 'completed' });
    expect(await methods.result(request)).toMatchObject({ content: [] });
  });

  it('[A10] stays silent for a task that has ended before', async () => {
    const { methods, request, tasks, task_id } = await start(async ({ progress }) => {
      await progress(1);
      return { content: [] };
    }, 'token');
    const { notifications, stream } = aClient();
    await tasks.wait(owner_id, task_id);

    await methods.result(request, stream);

    expect(notifications).toEqual([]);
  });

  it('[A12, C5, ADVS-02] carries progress as it grows', async () => {
    const gates = [aGate(), aGate()];
    const { methods, request } = await start(async ({ progress }) => {
      await progress(1, 2);
      await gates[0]?.passed;
      await progress(2, 2);
      await gates[1]?.passed;
      return { content: [] };
    }, 'token');
    const client = aClient();

    const result = methods.result(request, client.stream);
    await vi.waitFor(() => expect(client.progress()).toEqual([1]));
    gates[0]?.open();
    await vi.waitFor(() => expect(client.progress()).toEqual([1, 2]));
    gates[1]?.open();
    await result;

    expect(client.progress()).toEqual([1, 2]);
  });

  it('[A4] ends with the error of a broken stream, and stops watching', async () => {
    const { methods, request } = await start(askTwice);
    let asked = 0;

    const result = methods.result(request, {
      client_capabilities,
      ask: () => {
        asked += 1;
        throw new Error('broken pipe');
      },
    });

    await expect(result).rejects.toThrow('broken pipe');
    expect(asked).toBe(1);
  });

  it('[A4, T6] ends when the task expires meanwhile', async () => {
    let now = Date.now();
    const tasks = openTasks({ tools: { work: askTwice }, store: memoryStore({ clock: () => now }) });
    const { task_id } = await tasks.create({ owner_id, tool: 'work', arguments: {}, ttl_ms: 60_000 });
    const { questions, stream } = aClient();

    const followed = followTask(tasks, owner_id, task_id, stream);
    const rejected = expect(followed).rejects.toMatchObject({ code: 'not_found' });
    await vi.waitFor(() => expect(questions).toHaveLength(1));
    now += 60_000;

    await rejected;
  });

  it('[A4] does not start for a requestor that has aborted', async () => {
    const { tasks, task_id } = await start(askTwice);
    const { questions, stream } = aClient();

    const followed = followTask(tasks, owner_id, task_id, { ...stream, signal: AbortSignal.abort(new Error('gone')) });

    await expect(followed).rejects.toThrow('gone');
    expect(questions).toEqual([]);
  });
});

describe('the response to a question', () => {
  async function asked() {
    const { tasks, methods, task_id } = await start(askTwice);
    await vi.waitFor(async () => expect((await tasks.get(owner_id, task_id)).status).toBe('input_required'));
    const answerTo = async (key: string) => (await tasks.get(owner_id, task_id)).inputs[key]?.answer;
    return { methods, answerTo, id: `task-input:${task_id}:first` };
  }

  it('[A8] counts once: the first answer stays', async () => {
    const { methods, answerTo, id } = await asked();

    await methods.answer({ id, result: accept('Oslo') }, requestor);
    await methods.answer({ id, result: accept('Bergen') }, requestor);

    expect(await answerTo('first')).toEqual(accept('Oslo'));
  });

  it('[A8] counts as cancelled when it is an error', async () => {
    const { methods, answerTo, id } = await asked();

    await methods.answer({ id, error: { code: -1, message: 'The user said no.' } }, requestor);

    expect(await answerTo('first')).toEqual({ action: 'cancel' });
  });

  it.each([{ result: {} }, { result: 'Oslo' }, { result: { action: 'accept', content: 'Oslo' } }, {}])(
    '[A8] leaves the question open where it is %j',
    async (response) => {
      const { methods, answerTo, id } = await asked();

      const taken = await methods.answer({ id, ...response }, requestor);

      expect(taken).toBe(true);
      expect(await answerTo('first')).toBeNull();
    },
  );

  it('[A8] is passed on when it answers another request', async () => {
    const { methods } = await asked();

    expect(await methods.answer({ id: 7, result: {} }, requestor)).toBe(false);
  });
});
