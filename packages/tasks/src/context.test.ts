import { describe, expect, it } from 'vitest';
import { memoryStore } from '#stores/memory';
import { aGate, openTasks } from '#testing/open-tasks';
import type { TaskContext } from './context.ts';
import type { JsonObject } from './json.ts';
import { RpcFailure } from './rpc-failure.ts';
import type { TaskStore } from './store.ts';
import type { TaskRecord } from './task.ts';
import type { TaskHandler, Tasks, TasksOptions } from './tasks.ts';

const NAME = { method: 'elicitation/create', params: { message: 'Your name?' } } as const;
const PLACE = { method: 'elicitation/create', params: { message: 'Where?' } } as const;
const job = { owner_id: 'alice', tool: 'job', arguments: { size: 3 } };
const DONE = { content: [] };

/** Creates a task whose work is this function. */
async function aTaskOf(
  run: (task: TaskContext) => Promise<unknown>,
  options: Partial<TasksOptions> = {},
): Promise<{ readonly tasks: Tasks; readonly task: TaskRecord }> {
  const handler: TaskHandler = async (task) => {
    await run(task);
    return DONE;
  };
  const tasks = openTasks({ tools: { job: handler }, ...options });
  return { tasks, task: await tasks.create({ ...job, context: { from: 'here' }, progress_token: 'p1' }) };
}

/** Waits until the task meets the condition, and returns it. */
const when = (tasks: Tasks, task_id: string, wanted: (task: TaskRecord) => boolean): Promise<TaskRecord> =>
  new Promise((resolve) => {
    const stop = tasks.watch('alice', task_id, (task) => {
      if (task === null || !wanted(task)) return;
      stop();
      resolve(task);
    });
  });

const isAsking = ({ status }: TaskRecord): boolean => status === 'input_required';

describe('the context of a task', () => {
  it('[INTG-11, C6] contains the request and its progress token', async () => {
    const seen = aGate<TaskContext>();

    const { task } = await aTaskOf(async (context) => seen.open(context));

    expect(await seen.passed).toMatchObject({
      task_id: task.task_id,
      owner_id: 'alice',
      tool: 'job',
      arguments: { size: 3 },
      context: { from: 'here' },
      attempt: 1,
      progress_token: 'p1',
    });
  });

  it('[C1, HNDL-04, TEST-03] has variables that are visible at once and stored', async () => {
    const seen = aGate<unknown>();

    const { tasks, task } = await aTaskOf(async ({ setVariable, setVariables, getVariable, variables }) => {
      await setVariable('a', 1);
      await setVariables({ b: [2], a: null, c: { d: 3 } });
      seen.open([getVariable('a'), getVariable('b'), getVariable('toString'), variables()]);
    });

    expect(await seen.passed).toEqual([undefined, [2], undefined, { b: [2], c: { d: 3 } }]);
    expect((await tasks.wait('alice', task.task_id)).variables).toEqual({ b: [2], c: { d: 3 } });
  });

  it('[C6, HNDL-06] is shared by functions that run at the same time', async () => {
    const { tasks, task } = await aTaskOf(async ({ setVariable }) => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => setVariable(`v${i}`, i)));
    });

    const { variables } = await tasks.wait('alice', task.task_id);

    expect(Object.keys(variables)).toHaveLength(20);
  });

  it('[C2, HNDL-05, TEST-03] asks, waits in input_required, and continues with the answer', async () => {
    const said = aGate<unknown>();
    const { tasks, task } = await aTaskOf(async ({ requireInput }) => said.open(await requireInput('name', NAME)));

    const asking = await when(tasks, task.task_id, isAsking);
    const answered = await tasks.answer('alice', task.task_id, { name: { action: 'accept', content: { name: 'Al' } } });

    expect(asking.inputs).toEqual({ name: { request: NAME, answer: null } });
    expect(answered.status).toBe('working');
    expect(await said.passed).toEqual({ action: 'accept', content: { name: 'Al' } });
    expect(await tasks.wait('alice', task.task_id)).toMatchObject({ status: 'completed' });
  });

  it('[C2] continues when all of several questions are answered, in any order', async () => {
    const { tasks, task } = await aTaskOf(async ({ requireInput, setVariables }) => {
      const [name, place] = await Promise.all([requireInput('name', NAME), requireInput('place', PLACE)]);
      await setVariables({ name, place });
    });
    await when(tasks, task.task_id, ({ inputs }) => Object.keys(inputs).length === 2);

    const half = await tasks.answer('alice', task.task_id, { place: { content: { at: 'Rome' } }, unknown: {} });
    const again = await tasks.answer('alice', task.task_id, { place: { content: { at: 'Paris' } } });
    await tasks.answer('alice', task.task_id, { name: { content: { is: 'Al' } } });

    expect(half.status).toBe('input_required');
    expect(again).toEqual(half);
    expect((await tasks.wait('alice', task.task_id)).variables).toEqual({
      name: { content: { is: 'Al' } },
      place: { content: { at: 'Rome' } },
    });
  });

  it('[C3] answers a key that was answered before without asking again', async () => {
    const { tasks, task } = await aTaskOf(async ({ requireInput, setVariables }) => {
      const first = await requireInput('name', NAME);
      const second = await requireInput('name', PLACE);
      await setVariables({ first, second });
    });
    await when(tasks, task.task_id, isAsking);

    await tasks.answer('alice', task.task_id, { name: { content: { is: 'Al' } } });

    const { variables, inputs } = await tasks.wait('alice', task.task_id);
    expect(variables).toEqual({ first: { content: { is: 'Al' } }, second: { content: { is: 'Al' } } });
    expect(Object.keys(inputs)).toEqual(['name']);
  });

  it('[C2] refuses more questions than the limit allows', async () => {
    const refused = aGate<unknown>();

    await aTaskOf(
      async ({ requireInput }) => {
        void requireInput('one', NAME).catch(() => undefined);
        refused.open(await requireInput('two', NAME).catch((error: unknown) => error));
      },
      { limits: { max_inputs: 1 } },
    );

    expect(await refused.passed).toMatchObject({ code: 'invalid_params' });
  });

  it('[C4, HNDL-05, TEST-03] completes or fails once; later calls change nothing', async () => {
    const late = aGate<unknown[]>();
    const { tasks, task } = await aTaskOf(async ({ complete, fail, setVariable }) => {
      await complete({ content: [], structuredContent: { first: true } });
      late.open([await fail('too late').catch(String), await setVariable('a', 1).catch(String)]);
    });

    const ended = await tasks.wait('alice', task.task_id);

    expect(await late.passed).toEqual(Array(2).fill('TaskError: The task is over, or someone else works on it.'));
    expect(await tasks.get('alice', task.task_id)).toEqual(ended);
    expect(ended.outcome).toEqual({ kind: 'result', result: { content: [], structuredContent: { first: true } } });
  });

  it('[C4, HNDL-05] fails with a message for a person', async () => {
    const { tasks, task } = await aTaskOf(({ fail }) => fail('The disk is full.'));

    const { status, outcome } = await tasks.wait('alice', task.task_id);

    expect(status).toBe('failed');
    expect(outcome).toMatchObject({
      kind: 'tool_error',
      result: { content: [{ type: 'text', text: 'The disk is full.' }] },
    });
  });

  it('[C4] completes with a result and a message for a person', async () => {
    const { tasks, task } = await aTaskOf(({ complete }) => complete({ ...DONE, isError: true }, 'Stopped.'));

    const { status, status_message } = await tasks.wait('alice', task.task_id);

    expect({ status, status_message }).toEqual({ status: 'failed', status_message: 'Stopped.' });
  });

  it('[C5] reports growing progress, and ignores other values', async () => {
    const { tasks, task } = await aTaskOf(async ({ progress, setStatusMessage }) => {
      await progress(1, 10, 'one');
      await progress(5, 10);
      await progress(3, 10, 'late');
      await setStatusMessage('half way');
    });

    const { progress } = await tasks.wait('alice', task.task_id);

    expect(progress).toEqual({ progress: 5, total: 10 });
  });

  it('[R3] ends with the JSON-RPC error that the work throws', async () => {
    const { tasks, task } = await aTaskOf(async () => {
      throw new RpcFailure(-32001, 'No such branch.', { data: { branch: 'x' } });
    });

    const { status, outcome } = await tasks.wait('alice', task.task_id);

    expect(status).toBe('failed');
    expect(outcome).toEqual({
      kind: 'rpc_error',
      error: { code: -32001, message: 'No such branch.', data: { branch: 'x' } },
    });
  });

  it('[R3] ends without the message of an internal error', async () => {
    const reported: unknown[] = [];
    const failing = async () => {
      throw new Error('password is hunter2');
    };

    const { tasks, task } = await aTaskOf(failing, { report: (error) => reported.push(error) });

    const ended = await tasks.wait('alice', task.task_id);
    expect(ended.outcome).toMatchObject({ kind: 'rpc_error', error: { code: -32603 } });
    expect(JSON.stringify(ended)).not.toContain('hunter2');
    expect(reported).toEqual([expect.objectContaining({ message: 'password is hunter2' })]);
  });

  const circle: Record<string, unknown> = {};
  circle.self = circle;

  it.each([
    ['a number beyond JSON', { big: 1n }],
    ['a circle', circle],
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['text', 'done'],
  ])('[R3, R9] ends at its first start, without an answer, when its work resolves to %s', async (_, result) => {
    let starts = 0;
    const reported: unknown[] = [];
    const run = async (): Promise<JsonObject> => {
      starts += 1;
      // A handler that is written without types can return anything.
      return result as unknown as JsonObject;
    };
    const tasks = openTasks({ tools: { job: run }, worker: { lease_ms: 30 }, report: (error) => reported.push(error) });

    const { task_id } = await tasks.create(job);

    expect((await tasks.wait('alice', task_id)).outcome).toMatchObject({ kind: 'rpc_error', error: { code: -32603 } });
    expect(starts).toBe(1);
    expect(reported).toHaveLength(1);
  });

  it('[C1, S11] shows variables as they will be read back', async () => {
    const seen = aGate<unknown>();
    const odd = { gone: undefined, when: new Date(0), nothing: Number.NaN } as unknown as JsonObject;

    const { tasks, task } = await aTaskOf(async ({ setVariables, variables }) => {
      await setVariables(odd);
      seen.open(variables());
    });

    const kept = { when: '1970-01-01T00:00:00.000Z' };
    expect(await seen.passed).toEqual(kept);
    expect((await tasks.wait('alice', task.task_id)).variables).toEqual(kept);
  });

  it('[C1, V2] returns copies, and ignores changes to them', async () => {
    const mine = { items: [1, 2] };
    const tasks = openTasks({
      tools: {
        job: async ({ arguments: args, variables, setVariable, progress }) => {
          const list = [1];
          await setVariable('list', list);
          list.push(2);
          (args.items as number[]).pop();
          (variables().list as number[]).push(3);
          await progress(1);
          return DONE;
        },
      },
    });

    const { task_id } = await tasks.create({ ...job, arguments: mine });
    mine.items.push(3);

    const { request, variables } = await tasks.wait('alice', task_id);
    expect(request.arguments).toEqual({ items: [1, 2] });
    expect(variables).toEqual({ list: [1] });
  });

  it('[C3] keeps an answer unchanged when the handler changes its copy', async () => {
    const { tasks, task } = await aTaskOf(async ({ requireInput, setVariables }) => {
      const first = await requireInput('name', NAME);
      Reflect.set(first, 'action', 'changed');
      const second = await requireInput('name', NAME);
      Reflect.set(second, 'action', 'changed');
      await setVariables({ third: await requireInput('name', NAME) });
    });
    await when(tasks, task.task_id, isAsking);

    await tasks.answer('alice', task.task_id, { name: { action: 'accept' } });

    const { variables, inputs } = await tasks.wait('alice', task.task_id);
    expect(variables).toEqual({ third: { action: 'accept' } });
    expect(inputs.name?.answer).toEqual({ action: 'accept' });
  });

  it('[C2] serves two questions of one key at once, and neither waits for ever when one of them fails', async () => {
    const store = memoryStore();
    let fails = true;
    const flaky: TaskStore = {
      ...store,
      replace: async (...args) => {
        if (fails && Object.keys(args[0].inputs).length > 0) {
          fails = false;
          throw new Error('once');
        }
        return await store.replace(...args);
      },
    };
    const { tasks, task } = await aTaskOf(
      async ({ requireInput, setVariables }) => {
        const first = requireInput('name', NAME).catch(() => 'failed');
        const second = requireInput('name', NAME);
        await setVariables({ first: await first, second: await second });
      },
      { store: flaky },
    );
    await when(tasks, task.task_id, isAsking);

    await tasks.answer('alice', task.task_id, { name: { content: {} } });

    const { variables } = await tasks.wait('alice', task.task_id);
    expect(variables).toEqual({ first: 'failed', second: { content: {} } });
  });

  it('[C4] allows unawaited writes: a task that has already ended does not end the process', async () => {
    const { tasks, task } = await aTaskOf(async ({ complete, fail, requireInput, setVariable, progress, signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      void complete(DONE);
      void fail('late');
      void requireInput('late', NAME);
      void setVariable('late', 1);
      void progress(1);
    });

    await tasks.cancel('alice', task.task_id);
    await new Promise((resolve) => setTimeout(resolve, 20));

    // Vitest fails a run with an unhandled rejection.
    expect(await tasks.get('alice', task.task_id)).toMatchObject({ status: 'cancelled', variables: {} });
  });

  it.each([
    [
      'a circle in its data',
      () => new RpcFailure(-32_001, 'Bad.', { data: circle as never }),
      { code: -32_001, message: 'Bad.' },
    ],
    ['no number', () => new RpcFailure(Number.NaN, 'Bad.'), { code: -32_603, message: 'Bad.' }],
  ])('[R3] ends with a fault that can be reported, though the work made it with %s', async (_, failure, error) => {
    const { tasks, task } = await aTaskOf(async () => {
      throw failure();
    });

    expect(await tasks.wait('alice', task.task_id)).toMatchObject({ epoch: 1, outcome: { kind: 'rpc_error', error } });
  });

  it('[R3, V2] ends with the message of a limit that its handler exceeded', async () => {
    const { tasks, task } = await aTaskOf(({ setVariable }) => setVariable('text', 'x'.repeat(100)), {
      limits: { max_variables_bytes: 50 },
    });

    const { outcome } = await tasks.wait('alice', task.task_id);

    expect(outcome).toMatchObject({ kind: 'rpc_error', error: { message: expect.stringContaining('50 bytes') } });
  });

  it('[R10] ends as a failure that says so when the result is too large', async () => {
    const tasks = openTasks({
      tools: { job: async () => ({ content: [{ type: 'text', text: 'x'.repeat(100) }] }) },
      limits: { max_result_bytes: 100 },
    });

    const { task_id } = await tasks.create(job);

    expect((await tasks.wait('alice', task_id)).outcome).toMatchObject({
      kind: 'rpc_error',
      error: { code: -32603, message: expect.stringContaining('100 are allowed') },
    });
  });
});
