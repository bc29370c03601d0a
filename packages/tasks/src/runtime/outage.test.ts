import { describe, expect, it } from 'vitest';
import type { TaskContext } from '#context';
import { createTasks } from '#create-tasks';
import { TaskError } from '#errors';
import type { TaskStore } from '#store';
import { memoryStore } from '#stores/memory';
import { aGate, openTasks } from '#testing/open-tasks';

const DONE = { content: [] };
const job = { owner_id: 'alice', tool: 'job', arguments: {} };

/** A store that can be made unavailable; then nothing is written. */
function flaky(store: TaskStore) {
  let isAway = false;
  const replace: TaskStore['replace'] = async (...args) => {
    if (isAway) throw new TaskError('store_unavailable', 'away');
    return await store.replace(...args);
  };
  return {
    store: { ...store, replace },
    leave: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
  };
}

describe.concurrent('a store that is unavailable for a while', () => {
  it('[S14, R2] does not lose the result of finished work', async () => {
    const { store, leave, comeBack } = flaky(memoryStore());
    const reported = aGate<unknown>();
    const finish = aGate();
    const tasks = openTasks({
      store,
      tools: {
        job: async () => {
          await finish.passed;
          return DONE;
        },
      },
      report: reported.open,
    });
    const { task_id } = await tasks.create(job);

    leave();
    finish.open();
    expect(await reported.passed).toMatchObject({ code: 'store_unavailable' });
    comeBack();

    expect(await tasks.wait('alice', task_id)).toMatchObject({ status: 'completed' });
  });

  it('[S14, C1] makes writes of the handler wait, and lets it continue', async () => {
    const { store, leave, comeBack } = flaky(memoryStore());
    const reported = aGate<unknown>();
    const begin = aGate();
    const tasks = openTasks({
      store,
      tools: {
        job: async ({ setVariable, progress }) => {
          await begin.passed;
          await setVariable('effect', 'done');
          await progress(1, 2, 'half way');
          return DONE;
        },
      },
      report: reported.open,
    });
    const { task_id } = await tasks.create(job);

    leave();
    begin.open();
    await reported.passed;
    comeBack();

    expect(await tasks.wait('alice', task_id)).toMatchObject({
      status: 'completed',
      variables: { effect: 'done' },
      progress: { progress: 1 },
    });
  });

  it.each([
    ['has something to say', ({ setVariable }: TaskContext) => setVariable('effect', 'done')],
    ['asks', ({ requireInput }: TaskContext) => requireInput('go', { method: 'elicitation/create', params: {} })],
  ])('[S14, R11] does not keep a runtime from closing whose work %s', async (_, write) => {
    const { store, leave } = flaky(memoryStore());
    const reported = aGate<unknown>();
    const stopped = aGate<unknown>();
    const tasks = createTasks({
      store,
      tools: {
        job: async (task) => {
          stopped.open(await write(task).catch((error: unknown) => error));
          return DONE;
        },
      },
      report: reported.open,
    });
    leave();
    await tasks.create(job);
    await reported.passed;

    await tasks.close({ grace_ms: 10 });

    expect(await stopped.passed).toMatchObject({ code: 'lease_lost' });
  });
});
