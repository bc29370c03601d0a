import { describe, expect, it } from 'vitest';
import { createTasks } from '#create-tasks';
import { TaskError } from '#errors';
import type { TaskStore } from '#store';
import { memoryStore } from '#stores/memory';
import type { TaskRecord } from '#task';
import type { TaskHandler, TasksOptions } from '#tasks';
import { aGate, openTasks } from '#testing/open-tasks';

const DONE = { content: [] };
const job = { owner_id: 'alice', tool: 'job', arguments: {} };
const never: TaskHandler = () => new Promise(() => undefined);

/** The same store for several runtimes. Closing one runtime does not close the store for the others. */
const shared = (store: TaskStore): TaskStore => ({ ...store, close: async () => undefined });

/** A store without signals, as when its notification connection is lost. */
const deaf = (store: TaskStore): TaskStore => ({ ...shared(store), subscribe: () => () => undefined });

const answersDone: TaskHandler = async () => DONE;

/** A handler that runs until the gate opens. */
const waitsFor =
  ({ passed }: { readonly passed: Promise<void> }): TaskHandler =>
  async () => {
    await passed;
    return DONE;
  };

/** The store of a process that can be paused: while it is, none of its calls gets through. */
function stoppable(store: TaskStore) {
  let isStopped = false;
  const guard =
    <Args extends unknown[], Answer>(act: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (isStopped) throw new TaskError('store_unavailable', 'stopped');
      return await act(...args);
    };
  const { get, insert, replace, claim } = store;
  return {
    store: { ...deaf(store), get: guard(get), insert: guard(insert), replace: guard(replace), claim: guard(claim) },
    stop: () => {
      isStopped = true;
    },
    resume: () => {
      isStopped = false;
    },
  };
}

function aClockwork(options: Partial<TasksOptions> = {}) {
  let now = 1_000_000;
  const store = memoryStore({ clock: () => now });
  const open = (more: Partial<TasksOptions>) => openTasks({ store: shared(store), ...options, ...more });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { store, open, pass };
}

describe('a worker', () => {
  it('[R7, S8] claims the task of a worker that stopped renewing its lease', async () => {
    const { store, open, pass } = aClockwork();
    const attempts: number[] = [];
    const dead = stoppable(store);
    const { task_id } = await open({
      store: dead.store,
      tools: { job: never },
      worker: { lease_ms: 60_000 },
    }).create(job);
    dead.stop();

    const heir = open({
      tools: {
        job: async ({ attempt }) => {
          attempts.push(attempt);
          return DONE;
        },
      },
      worker: { lease_ms: 60_000 },
    });
    pass(59_999);
    const early = await store.claim({ worker_id: 'other', tools: ['job'], lease_ms: 1, limit: 1 });
    pass(1);

    expect(early).toEqual([]);
    expect(await heir.wait('alice', task_id)).toMatchObject({ status: 'completed', epoch: 2 });
    expect(attempts).toEqual([2]);
  });

  it('[R8, S7, TEST-07] can neither finish nor change a task that another worker has claimed', async () => {
    const { store, open, pass } = aClockwork();
    const first = stoppable(store);
    const resume = aGate();
    const refused = aGate<unknown[]>();
    const paused = open({
      tools: {
        job: async ({ setVariable, complete }) => {
          await resume.passed;
          refused.open([await setVariable('who', 'first').catch(String), await complete(DONE).catch(String)]);
          return DONE;
        },
      },
      worker: { lease_ms: 60_000 },
      store: first.store,
    });
    const { task_id } = await paused.create(job);
    first.stop();
    pass(60_000);
    const heir = open({
      tools: {
        job: async ({ setVariable }) => {
          await setVariable('who', 'second');
          return DONE;
        },
      },
      worker: { lease_ms: 60_000 },
    });
    const ended = await heir.wait('alice', task_id);

    first.resume();
    resume.open();

    expect(await refused.passed).toEqual(Array(2).fill('TaskError: The task is over, or someone else works on it.'));
    expect(await heir.get('alice', task_id)).toEqual(ended);
    expect(ended.variables).toEqual({ who: 'second' });
  });

  it('[R8, S7] does not end a task that another worker has claimed, even without a signal', async () => {
    const { store, open, pass } = aClockwork();
    const first = stoppable(store);
    const resume = aGate();
    const refused = aGate<unknown>();
    const paused = open({
      store: first.store,
      tools: {
        job: async ({ complete }) => {
          await resume.passed;
          refused.open(await complete(DONE).catch(String));
          return DONE;
        },
      },
      worker: { lease_ms: 60_000 },
      poll_interval_ms: 3_600_000,
    });
    const { task_id } = await paused.create(job);
    first.stop();
    pass(60_000);
    const heir = open({ tools: { job: never }, worker: { lease_ms: 60_000 } });
    await until(async () => (await heir.get('alice', task_id)).epoch === 2);

    first.resume();
    resume.open();

    expect(await refused.passed).toBe('TaskError: The task is over, or someone else works on it.');
    expect(await heir.get('alice', task_id)).toMatchObject({ status: 'working', outcome: null, epoch: 2 });
  });

  it('[R8] notices that another worker has claimed its task, and aborts its handler', async () => {
    const { store, open, pass } = aClockwork();
    const first = stoppable(store);
    const stopped = aGate<unknown>();
    const paused = open({
      store: first.store,
      tools: {
        job: ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              stopped.open(signal.reason);
              resolve(DONE);
            });
          }),
      },
      worker: { lease_ms: 60_000 },
    });
    const { task_id } = await paused.create(job);
    first.stop();
    pass(60_000);
    const heir = open({ tools: { job: never }, worker: { lease_ms: 60_000 } });
    await until(async () => (await heir.get('alice', task_id)).epoch === 2);

    first.resume();

    expect(await stopped.passed).toBeInstanceOf(TaskError);
  });

  it('[C3, R7, TEST-03] replays earlier answers after it has claimed the task of another', async () => {
    const { store, open, pass } = aClockwork();
    const first = stoppable(store);
    const asked: string[] = [];
    const work: TaskHandler = async ({ requireInput, attempt }) => {
      const name = await requireInput('name', { method: 'elicitation/create', params: { attempt } });
      const place = await requireInput('place', { method: 'elicitation/create', params: { attempt } });
      return { content: [], structuredContent: { name, place } };
    };
    const dead = open({ store: first.store, tools: { job: work }, worker: { lease_ms: 60_000 } });
    const { task_id } = await dead.create(job);
    dead.watch('alice', task_id, (task) => asked.push(...Object.keys(task?.inputs ?? {}).slice(asked.length)));
    await until(() => asked.includes('name'));
    await dead.answer('alice', task_id, { name: { content: { is: 'Al' } } });
    await until(() => asked.includes('place'));

    first.stop();
    pass(60_000);
    const heir = open({ tools: { job: work }, worker: { lease_ms: 60_000 } });
    await until(async () => (await heir.get('alice', task_id)).epoch === 2);
    await heir.answer('alice', task_id, { place: { content: { at: 'Rome' } } });

    const { outcome, inputs } = await heir.wait('alice', task_id);
    expect(outcome).toMatchObject({
      result: { structuredContent: { name: { content: { is: 'Al' } }, place: { content: { at: 'Rome' } } } },
    });
    expect(Object.values(inputs).map(({ request }) => request.params)).toEqual([{ attempt: 1 }, { attempt: 1 }]);
  });

  it('[R9] fails a task that was started too often', async () => {
    const { store, open, pass } = aClockwork();
    const { task_id } = await open({ tools: { job: never }, worker: { lease_ms: 1_000 } }).create({
      ...job,
      ttl_ms: null,
    });
    for (let i = 0; i < 2; i += 1) {
      await store.claim({ worker_id: 'dies', tools: ['job'], lease_ms: 1_000, limit: 1 });
      pass(1_000);
    }
    const third = open({ tools: { job: never }, worker: { lease_ms: 60_000, max_attempts: 3 } });
    await until(async () => (await store.get('alice', task_id))?.epoch === 3);
    const early = (await store.get('alice', task_id))?.outcome;
    await third.close({ grace_ms: 0 });
    await store.claim({ worker_id: 'dies', tools: ['job'], lease_ms: 1_000, limit: 1 });
    pass(1_000);

    const last = open({ tools: { job: never }, worker: { lease_ms: 60_000, max_attempts: 3 } });

    expect(early).toBeNull();
    expect((await last.wait('alice', task_id)).outcome).toMatchObject({
      kind: 'rpc_error',
      error: { message: expect.stringContaining('too often') },
    });
  });

  it('[R9] does not restart work that is not resumable', async () => {
    const { store, open, pass } = aClockwork();
    const { task_id } = await open({ tools: { job: never }, worker: false }).create(job);
    await store.claim({ worker_id: 'dies', tools: ['job'], lease_ms: 1_000, limit: 1 });
    let started = false;
    pass(1_000);

    const run: TaskHandler = async () => {
      started = true;
      return DONE;
    };
    const heir = open({ tools: { job: { run, resumable: false } } });

    expect((await heir.wait('alice', task_id)).outcome).toMatchObject({
      kind: 'rpc_error',
      error: { message: expect.stringContaining('interrupted') },
    });
    expect(started).toBe(false);
  });

  it('[R4, R1] finishes a task of another process, whose waiting caller gets the result', async () => {
    const { open } = aClockwork();
    const front = open({ tools: { job: never }, worker: false, poll_interval_ms: 3_600_000 });
    open({ tools: { job: answersDone }, poll_interval_ms: 3_600_000 });

    const { task_id, lease } = await front.create(job);

    expect(lease).toBeNull();
    expect(await front.wait('alice', task_id)).toMatchObject({ status: 'completed' });
  });

  it('[R5, NOTF-02] is found to have finished by polling when no signal comes', async () => {
    const { store, open } = aClockwork();
    const front = open({ store: deaf(store), tools: { job: never }, worker: false, poll_interval_ms: 10 });
    open({ store: deaf(store), tools: { job: answersDone }, poll_interval_ms: 10 });

    const { task_id } = await front.create(job);

    expect(await front.wait('alice', task_id)).toMatchObject({ status: 'completed' });
  });

  it('[R6, R5] notices a cancellation by polling when no signal comes', async () => {
    const { store, open } = aClockwork();
    const stopped = aGate();
    const front = open({ store: deaf(store), tools: { job: never }, worker: false });
    open({
      store: deaf(store),
      tools: { job: ({ signal }) => new Promise(() => signal.addEventListener('abort', () => stopped.open())) },
      poll_interval_ms: 10,
    });
    const { task_id } = await front.create(job);
    await until(async () => (await front.get('alice', task_id)).epoch === 1);

    await front.cancel('alice', task_id);

    await stopped.passed;
  });

  it('[R7] renews its lease while it works: no other worker claims the task, and requestors do not see it', async () => {
    const store = memoryStore();
    const finish = aGate();
    const seen: (TaskRecord | null)[] = [];
    const busy = openTasks({
      store: shared(store),
      tools: { job: waitsFor(finish) },
      worker: { lease_ms: 90 },
    });
    const { task_id, updated_at } = await busy.create(job);
    busy.watch('alice', task_id, (task) => seen.push(task));
    const before = await store.get('alice', task_id);
    await until(async () => ((await store.get('alice', task_id))?.version ?? 0) >= 6);

    const idle = await store.claim({ worker_id: 'idle', tools: ['job'], lease_ms: 1, limit: 1 });

    expect(idle).toEqual([]);
    expect(await store.get('alice', task_id)).toMatchObject({ epoch: 1, updated_at });
    expect((await store.get('alice', task_id))?.lease?.until).toBeGreaterThan(before?.lease?.until ?? 0);
    expect(seen).toHaveLength(1);
    finish.open();
    await busy.wait('alice', task_id);
  });

  it('[R1] runs at most as many tasks as it has slots; tasks that wait for input need none', async () => {
    const { open } = aClockwork();
    const release = aGate();
    let working = 0;
    let most = 0;
    const tasks = open({
      tools: {
        asks: async ({ requireInput }) => {
          await requireInput('go', { method: 'elicitation/create', params: {} });
          return DONE;
        },
        job: async () => {
          working += 1;
          most = Math.max(most, working);
          await release.passed;
          working -= 1;
          return DONE;
        },
      },
      worker: { concurrency: 2 },
    });

    const asking = await Promise.all([1, 2, 3].map(() => tasks.create({ ...job, tool: 'asks' })));
    await until(async () =>
      (await Promise.all(asking.map(({ task_id }) => tasks.get('alice', task_id)))).every(
        ({ status }) => status === 'input_required',
      ),
    );
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => tasks.create(job)));
    await until(() => working === 2);
    release.open();
    await Promise.all(made.map(({ task_id }) => tasks.wait('alice', task_id)));

    expect(most).toBe(2);
  });
});

describe('a slot of a worker', () => {
  it('[R1] is free again when its task could not be created', async () => {
    const started: string[] = [];
    const tasks = openTasks({
      tools: {
        job: async ({ task_id }) => {
          started.push(task_id);
          return DONE;
        },
      },
      worker: { concurrency: 1 },
      limits: { max_tasks_per_owner: 0 },
    });

    for (let i = 0; i < 3; i += 1) await expect(tasks.create(job)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await expect(tasks.create({ ...job, context: { big: 1n } as never })).rejects.toThrow(TypeError);
    const open = createTasks({ store: shared(tasks.store), tools: { job: never }, worker: false });
    const { task_id } = await open.create(job);

    expect(await tasks.wait('alice', task_id)).toMatchObject({ status: 'completed' });
    expect(started).toEqual([task_id]);
    await open.close();
  });

  it('[R6] is free again when its task has ended, even if the handler still runs', async () => {
    const tasks = openTasks({ tools: { job: never, quick: answersDone }, worker: { concurrency: 1 } });
    const { task_id } = await tasks.create(job);

    await tasks.cancel('alice', task_id);
    const next = await tasks.create({ ...job, tool: 'quick' });

    expect(await tasks.wait('alice', next.task_id)).toMatchObject({ status: 'completed' });
  });
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
