import { createTasks, TaskError, type TaskRecord } from '@errand/tasks';
import { memoryStore } from '@errand/tasks/memory';
import { describe, expect, it } from 'vitest';
import { seenTasks } from './seen-tasks.ts';

/** Makes two tasks of one owner. The caller sees one of them. */
async function twoTasks() {
  const tools = { open: async () => ({}), secret: async () => ({}) };
  const tasks = createTasks({ store: memoryStore(), tools, worker: false });
  const make = (tool: string) => tasks.create({ owner_id: 'sub:ann', tool, arguments: {} });
  const [open, secret] = [await make('open'), await make('secret')];
  const seen = seenTasks(tasks, ({ request }: TaskRecord) => request.tool === 'open');
  return { tasks, seen, open, secret, [Symbol.asyncDispose]: () => tasks.close() };
}

describe('a task that the caller may not see', () => {
  it.each(['get', 'cancel', 'answer', 'wait'] as const)(
    'is not found by %s, like one that does not exist',
    async (name) => {
      await using world = await twoTasks();
      const ask = (task_id: string): Promise<unknown> =>
        name === 'answer' ? world.seen.answer('sub:ann', task_id, {}) : world.seen[name]('sub:ann', task_id);
      const refusal = (task_id: string) => ask(task_id).catch((error: unknown) => error);

      const [hidden, unknown] = [await refusal(world.secret.task_id), await refusal(crypto.randomUUID())];

      expect(hidden).toBeInstanceOf(TaskError);
      expect(hidden).toEqual(unknown);
      expect((await world.tasks.get('sub:ann', world.secret.task_id)).status).toBe('working');
    },
  );

  it('is not listed', async () => {
    await using world = await twoTasks();

    const { tasks } = await world.seen.list('sub:ann');

    expect(tasks.map(({ task_id }) => task_id)).toEqual([world.open.task_id]);
  });

  it('is watched like one that does not exist', async () => {
    await using world = await twoTasks();
    const look = (task_id: string) =>
      new Promise<TaskRecord | null>((resolve) => {
        world.seen.watch('sub:ann', task_id, resolve);
      });

    expect(await look(world.secret.task_id)).toBeNull();
    expect(await look(world.open.task_id)).toMatchObject({ task_id: world.open.task_id });
  });
});

it('offers nothing else that reads or changes a task', async () => {
  await using world = await twoTasks();

  expect(Object.keys(world.seen).toSorted()).toEqual(
    ['answer', 'cancel', 'create', 'get', 'limits', 'list', 'wait', 'watch'].toSorted(),
  );
});
