import { describe, expect, expectTypeOf, it } from 'vitest';
import { TaskError } from '#errors';
import type { TaskStore } from '#store';
import { memoryStore } from '#stores/memory';
import type { TaskRecord } from '#task';
import { aGate, openTasks } from '#testing/open-tasks';
import { sequentialWorkflow } from './sequential-workflow.ts';
import { stepOutput, variable } from './source.ts';

const QUESTION = { method: 'elicitation/create', params: { message: 'Go on?' } } as const;

const release = sequentialWorkflow('release')
  .step('fetch', {
    input: { url: variable<string>('url') },
    run: async ({ input }) => ({ commit: { sha: `sha of ${input.url}` }, files: 3 }),
  })
  .step('build', {
    input: { sha: stepOutput('fetch', 'commit.sha'), fetched: stepOutput('fetch'), level: 9 },
    run: async ({ input, setVariable }) => {
      await setVariable('size', input.fetched.files * input.level);
      return `${input.sha}, built`;
    },
  })
  .step('publish', {
    input: { artifact: stepOutput('build') },
    run: async ({ input, variables }) => ({ artifact: input.artifact, size: variables.size ?? null }),
  });

const PUBLISHED = { artifact: 'sha of git://x, built', size: 27 };
const RESULT = { content: [{ type: 'text', text: JSON.stringify(PUBLISHED) }], structuredContent: PUBLISHED };
const call = { owner_id: 'alice', tool: 'release', arguments: { url: 'git://x' } };

/** The same store for several runtimes. Closing one runtime does not close the store for the others. */
const shared = (store: TaskStore): TaskStore => ({ ...store, close: async () => undefined });

describe('a sequential workflow', () => {
  it('[W1, WKFL-01, WKFL-02, WKFL-03] runs its steps in order, each with variables and outputs of earlier ones', async () => {
    const tasks = openTasks({ tools: { release: release.withTaskSupport() } });

    const { task_id } = await tasks.create(call);
    const ended = await tasks.wait('alice', task_id);

    expect(ended).toMatchObject({
      status: 'completed',
      outcome: { kind: 'result', result: RESULT },
      variables: {
        'step:fetch': { output: { commit: { sha: 'sha of git://x' }, files: 3 } },
        'step:build': { output: 'sha of git://x, built' },
        'step:publish': { output: PUBLISHED },
        size: 27,
      },
    });
  });

  it('[W1, WKFL-03] resolves the input of a step from the variables of the task', async () => {
    const gate = aGate();
    const workflow = sequentialWorkflow('read')
      .step('wait', { run: () => gate.passed })
      .step('read', { input: { mood: variable('mood') }, run: ({ input }) => input.mood });
    const tasks = openTasks({ tools: { read: workflow.withTaskSupport() } });
    const { task_id } = await tasks.create({ ...call, tool: 'read', arguments: { mood: 'asked for' } });

    await tasks.setVariables('alice', task_id, { mood: 'set later' });
    gate.open();
    const { outcome } = await tasks.wait('alice', task_id);

    expect(outcome).toEqual({ kind: 'result', result: { content: [{ type: 'text', text: 'set later' }] } });
  });

  it('[W1] reports the current step and how many are done', async () => {
    const gate = aGate();
    const workflow = sequentialWorkflow('slow')
      .step('first', { run: () => 1 })
      .step('second', { run: () => gate.passed });
    const tasks = openTasks({ tools: { slow: workflow.withTaskSupport() } });

    const { task_id } = await tasks.create({ ...call, tool: 'slow' });
    const seen = await seenAs(tasks, task_id, ({ status_message }) => status_message === 'second');
    gate.open();
    const ended = await tasks.wait('alice', task_id);

    expect(seen.progress).toEqual({ progress: 1, total: 2, message: 'first' });
    expect(ended.progress).toEqual({ progress: 2, total: 2, message: 'second' });
  });

  it('[W2] does not repeat a step whose output was stored, also an empty output', async () => {
    const ran: string[] = [];
    const stuck = aGate();
    const store = memoryStore();
    const workflow = sequentialWorkflow('resumed')
      .step('mail', { run: () => void ran.push('mail') })
      .step('count', { run: () => ran.push('count') })
      .step('hang', {
        input: { mail: stepOutput('mail'), count: stepOutput('count') },
        run: async ({ attempt, input }) => {
          ran.push(`hang ${attempt}`);
          if (attempt === 1) await stuck.passed;
          return input;
        },
      });
    const tools = { resumed: workflow.withTaskSupport() };
    const first = openTasks({ store: shared(store), tools });
    const { task_id } = await first.create({ ...call, tool: 'resumed' });
    await expect.poll(() => ran).toContain('hang 1');

    await first.close({ grace_ms: 0 });
    const ended = await openTasks({ store, tools }).wait('alice', task_id);

    expect(ran).toEqual(['mail', 'count', 'hang 1', 'hang 2']);
    expect(ended.outcome).toMatchObject({ result: { structuredContent: { mail: null, count: 2 } } });
  });

  it('[W2] stores the output and the mark of a step in one write', async () => {
    const writes: TaskRecord[] = [];
    const store = memoryStore();
    const replace: TaskStore['replace'] = (record, options) => {
      writes.push(record);
      return store.replace(record, options);
    };
    const tasks = openTasks({ store: { ...store, replace }, tools: { release: release.withTaskSupport() } });

    const { task_id } = await tasks.create(call);
    await tasks.wait('alice', task_id);

    const marked = writes.findIndex(({ variables }) => 'step:build' in variables);
    expect(writes[marked]?.variables['step:build']).toEqual({ output: 'sha of git://x, built' });
    expect(writes[marked - 1]?.variables).toEqual({ ...writes[marked]?.variables, 'step:build': undefined });
  });

  it('[W2, S14] waits for an unavailable store when a step is done, and does not repeat the step', async () => {
    const ran: string[] = [];
    const store = memoryStore();
    let refusals = 0;
    const replace: TaskStore['replace'] = async (record, options) => {
      if ('step:mail' in record.variables && ++refusals <= 2) throw new TaskError('store_unavailable', 'away');
      return await store.replace(record, options);
    };
    const workflow = sequentialWorkflow('sends')
      .step('mail', { run: () => ran.push('mail') })
      .step('ask', { run: ({ requireInput }) => requireInput(QUESTION) });
    const tasks = openTasks({ store: { ...store, replace }, tools: { sends: workflow.withTaskSupport() } });
    const { task_id } = await tasks.create({ ...call, tool: 'sends' });

    await seenAs(tasks, task_id, ({ status }) => status === 'input_required');
    await tasks.answer('alice', task_id, { ask: { action: 'accept' } });
    const ended = await tasks.wait('alice', task_id);

    expect(ended.status).toBe('completed');
    expect(ran).toEqual(['mail']);
    expect(refusals).toBeGreaterThan(2);
  });

  it('[W3, WKFL-04] asks the client under the name of the step, and goes on with the answer', async () => {
    const workflow = sequentialWorkflow('asks').step('approve', {
      run: async ({ requireInput }) => [await requireInput(QUESTION), await requireInput(QUESTION)],
    });
    const tasks = openTasks({ tools: { asks: workflow.withTaskSupport() } });
    const { task_id } = await tasks.create({ ...call, tool: 'asks' });

    const asked = await seenAs(tasks, task_id, ({ status }) => status === 'input_required');
    await tasks.answer('alice', task_id, { approve: { action: 'accept' } });
    const again = await seenAs(tasks, task_id, ({ inputs }) => 'approve#2' in inputs);
    await tasks.answer('alice', task_id, { 'approve#2': { action: 'decline' } });
    const ended = await tasks.wait('alice', task_id);

    expect(asked.inputs).toEqual({ approve: { request: QUESTION, answer: null } });
    expect(again.status).toBe('input_required');
    expect(ended.variables).toEqual({ 'step:approve': { output: [{ action: 'accept' }, { action: 'decline' }] } });
  });

  it('[W3] replays earlier answers in order when a step is started again', async () => {
    const stuck = aGate();
    const store = memoryStore();
    const workflow = sequentialWorkflow('asks').step('approve', {
      run: async ({ requireInput, attempt }) => {
        const answers = [await requireInput(QUESTION), await requireInput(QUESTION)];
        if (attempt === 1) await stuck.passed;
        return answers;
      },
    });
    const tools = { asks: workflow.withTaskSupport() };
    const first = openTasks({ store: shared(store), tools });
    const { task_id } = await first.create({ ...call, tool: 'asks' });
    for (const [n, key] of ['approve', 'approve#2'].entries()) {
      await seenAs(first, task_id, ({ inputs }) => key in inputs);
      await first.answer('alice', task_id, { [key]: { n } });
    }

    await first.close({ grace_ms: 0 });
    const ended = await openTasks({ store, tools }).wait('alice', task_id);

    expect(ended.variables).toEqual({ 'step:approve': { output: [{ n: 0 }, { n: 1 }] } });
    expect(Object.keys(ended.inputs)).toEqual(['approve', 'approve#2']);
  });

  it('[W4] gives the same result without a task', async () => {
    const result = await release.run({ url: 'git://x' });

    expect(result).toEqual(RESULT);
  });

  it('[W4] asks the `answer` function in memory, and fails without one', async () => {
    const workflow = sequentialWorkflow('asks').step('approve', { run: ({ requireInput }) => requireInput(QUESTION) });

    const result = await workflow.run({}, { answer: async (key, { method }) => ({ key, method }) });
    const unanswered = workflow.run({});

    expect(result.structuredContent).toEqual({ key: 'approve', method: 'elicitation/create' });
    await expect(unanswered).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('[W4] stops before the next step when it is aborted', async () => {
    const ran: number[] = [];
    const abort = new AbortController();
    const workflow = sequentialWorkflow('stopped')
      .step('one', {
        run: () => {
          ran.push(1);
          abort.abort(new Error('enough'));
        },
      })
      .step('two', { run: () => ran.push(2) });

    const stopped = workflow.run({}, { signal: abort.signal });

    await expect(stopped).rejects.toThrow('enough');
    expect(ran).toEqual([1]);
  });

  it('[W1] ends with a message for the requestor when an argument is missing', async () => {
    const tasks = openTasks({ tools: { release: release.withTaskSupport() } });

    const { task_id } = await tasks.create({ ...call, arguments: {} });
    const { outcome } = await tasks.wait('alice', task_id);

    expect(outcome).toEqual({
      kind: 'rpc_error',
      error: { code: -32602, message: '"url" is missing: give it as an argument.' },
    });
  });

  it('[W1, W2] keeps steps from writing the marks of the workflow', async () => {
    const workflow = sequentialWorkflow('cheats').step('one', {
      run: ({ setVariable }) => setVariable('step:two', { output: 1 }),
    });

    const cheating = workflow.run({});

    await expect(cheating).rejects.toMatchObject({ code: 'invalid_params' });
  });
});

describe('building a workflow', () => {
  it('[W1] refuses a duplicate name, an invalid name, and the output of a step that does not come before', () => {
    const one = sequentialWorkflow('w').step('one', { run: () => 1 });
    const run = () => 2;

    // @ts-expect-error The name is taken.
    expect(() => one.step('one', { run })).toThrow('two steps "one"');
    expect(() => one.step('two#2', { run })).toThrow('no name for a step');
    // @ts-expect-error There is no step three.
    expect(() => one.step('two', { input: { x: stepOutput('three') }, run })).toThrow('needs "three"');
  });

  it('[W1] does not change the workflow that a step is added to', async () => {
    const one = sequentialWorkflow('w').step('one', { run: () => 'one' });

    one.step('two', { run: () => 'two' });

    expect(await one.run({})).toEqual({ content: [{ type: 'text', text: 'one' }] });
  });

  it('[W1] infers the types of a step’s input', () => {
    release.step('typed', {
      input: { sha: stepOutput('fetch', 'commit.sha'), built: stepOutput('build'), at: variable<number>('at') },
      run: ({ input }) => {
        expectTypeOf(input.sha).toEqualTypeOf<string>();
        expectTypeOf(input.built).toExtend<string>();
        expectTypeOf(input.at).toEqualTypeOf<number>();
      },
    });

    expect(release.name).toBe('release');
  });
});

/** Waits until the task meets the condition, and returns it. */
function seenAs(
  tasks: ReturnType<typeof openTasks>,
  task_id: string,
  isSo: (task: TaskRecord) => boolean,
): Promise<TaskRecord> {
  const { promise, resolve } = Promise.withResolvers<TaskRecord>();
  const stop = tasks.watch('alice', task_id, (task) => {
    if (task !== null && isSo(task)) resolve(task);
  });
  return promise.finally(stop);
}
