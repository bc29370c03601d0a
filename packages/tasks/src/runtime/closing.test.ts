import { describe, expect, it } from 'vitest';
import { createTasks } from '#create-tasks';
import { TaskError } from '#errors';
import type { TaskStore } from '#store';
import { memoryStore } from '#stores/memory';
import type { TaskHandler } from '#tasks';
import { aGate, openTasks } from '#testing/open-tasks';

const DONE = { content: [] };
const job = { owner_id: 'alice', tool: 'job', arguments: {} };
const never: TaskHandler = () => new Promise(() => undefined);
const answersDone: TaskHandler = async () => DONE;

/** The same store for several runtimes. Closing one runtime does not close the store for the others. */
const shared = (store: TaskStore): TaskStore => ({ ...store, close: async () => undefined });

describe('closing a runtime', () => {
  it('[R11] waits for running tasks and hands the rest back', async () => {
    const store = memoryStore();
    const quick = aGate();
    const closing = createTasks({
      store: shared(store),
      tools: {
        quick: async () => {
          await quick.passed;
          return DONE;
        },
        job: never,
      },
      poll_interval_ms: 20,
    });
    const ends = await closing.create({ ...job, tool: 'quick' });
    const stays = await closing.create(job);

    const closed = closing.close({ grace_ms: 50 });
    quick.open();
    await closed;

    expect(await store.get('alice', ends.task_id)).toMatchObject({ status: 'completed' });
    expect(await store.get('alice', stays.task_id)).toMatchObject({ status: 'working', lease: null });
    const heir = openTasks({ store: shared(store), tools: { job: answersDone } });
    expect(await heir.wait('alice', stays.task_id)).toMatchObject({ status: 'completed' });
  });

  it('[R9, R11] does not count as a failed start, however often it happens', async () => {
    const store = memoryStore();
    const asks: TaskHandler = async ({ requireInput }) => {
      await requireInput('go', { method: 'elicitation/create', params: {} });
      return DONE;
    };
    const start = () => createTasks({ store: shared(store), tools: { job: asks }, worker: { max_attempts: 2 } });
    const first = start();
    const { task_id } = await first.create(job);
    await first.close();

    for (let restart = 2; restart <= 6; restart += 1) {
      const next = start();
      await until(async () => (await store.get('alice', task_id))?.epoch === restart);
      await next.close();
    }

    expect(await store.get('alice', task_id)).toMatchObject({ outcome: null, handed_back: 6 });
  });

  it('[R11] hands tasks that wait for input back at once', async () => {
    const store = memoryStore();
    const asks: TaskHandler = async ({ requireInput }) => {
      await requireInput('go', { method: 'elicitation/create', params: {} });
      return DONE;
    };
    const closing = createTasks({ store: shared(store), tools: { job: asks }, poll_interval_ms: 20 });
    const { task_id } = await closing.create(job);
    await until(async () => (await store.get('alice', task_id))?.status === 'input_required');

    // Longer than the timeout of the test.
    await closing.close({ grace_ms: 3_600_000 });

    expect(await store.get('alice', task_id)).toMatchObject({ status: 'input_required', lease: null });
  });

  it('[R11, R1] hands back a task that is created while it closes', async () => {
    const store = memoryStore();
    const inserting = aGate();
    let isOpen = true;
    const slow: TaskStore = {
      ...store,
      insert: async (...args) => {
        await inserting.passed;
        return await store.insert(...args);
      },
      replace: async (...args) => {
        if (!isOpen) throw new TaskError('store_unavailable', 'closed');
        return await store.replace(...args);
      },
      close: async () => {
        isOpen = false;
      },
    };
    let runs = 0;
    const count: TaskHandler = async () => {
      runs += 1;
      return DONE;
    };
    const closing = createTasks({ store: slow, tools: { job: count } });
    const making = closing.create(job);

    const closed = closing.close();
    // Late enough that a close which did not wait would already be done.
    setTimeout(inserting.open, 20);
    const { task_id } = await making;
    await closed;

    expect(runs).toBe(0);
    expect(await store.get('alice', task_id)).toMatchObject({ outcome: null, lease: null, handed_back: 1 });
    const heir = openTasks({ store: shared(store), tools: { job: { run: count, resumable: false } } });
    expect(await heir.wait('alice', task_id)).toMatchObject({ status: 'completed' });
    expect(runs).toBe(1);
  });
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
