import { expect, it } from 'vitest';
import { aTask } from '#testing/a-task';
import { describeTaskStore } from '#testing/contract';
import { memoryStore } from './memory.ts';

const time = { now: 1_700_000_000_000 };

describeTaskStore('memory', async () => memoryStore({ clock: () => time.now }), {
  advance: async (ms) => {
    time.now += ms;
  },
});

it('[S11, STOR-05] keeps a record unchanged when the writer or a reader changes its own object later', async () => {
  await using store = memoryStore();
  const variables = { list: [1] };
  const task = aTask({ variables });
  await store.insert(task, 1);

  variables.list.push(2);
  const read = await store.get(task.owner_id, task.task_id);
  (read?.variables.list as number[] | undefined)?.push(3);

  expect(await store.get(task.owner_id, task.task_id)).toMatchObject({ variables: { list: [1] } });
});

it('[S14] rejects with `store_unavailable` when it is closed', async () => {
  const store = memoryStore();
  await store.close();

  await expect(store.get('sub:alice', 'a')).rejects.toMatchObject({ code: 'store_unavailable' });
});
