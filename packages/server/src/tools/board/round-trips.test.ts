import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openMemoryStore } from '#store/memory/open-memory-store';
import type { Store } from '#store/store';
import { aBoard } from '#testing/attempts';
import { createWorld, type World } from '#testing/world';

interface Rounds {
  readonly store: Store;
  /** How often readings had to wait for those before them: round trips, where the database is a server. */
  readonly of: (work: () => Promise<unknown>) => Promise<number>;
}

/** A store whose readings that are asked for in one turn are answered together, in a later one. */
function inRounds(store: Store): Rounds {
  let rounds = 0;
  let round: Promise<void> | undefined;
  const next = (): Promise<void> => {
    round ??= nextTurn().then(() => {
      rounds += 1;
      round = undefined;
    });
    return round;
  };
  const later = (part: object): object =>
    new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          await next();
          return Reflect.apply(value, target, given);
        };
      },
    });
  // Every part is one of the same names and functions.
  const reads = Object.fromEntries(Object.entries(store.reads).map(([name, part]) => [name, later(part)])) as never;
  return {
    // Without a version, no answer is kept from one call to the next.
    store: { ...store, reads, version: null },
    of: async (work) => {
      const before = rounds;
      await work();
      return rounds - before;
    },
  };
}

async function open(): Promise<{ readonly world: World; readonly of: Rounds['of'] }> {
  let rounds: Rounds | undefined;
  const world = await createWorld({
    open: async (options) => {
      rounds = inRounds(await openMemoryStore(options));
      return rounds.store;
    },
  });
  if (rounds === undefined) throw new Error('The world opened no store.');
  return { world, of: rounds.of };
}

it.each([
  ['get_task', 1, ['task_id']],
  ['list_tasks', 1, ['project_id']],
  ['list_tasks', 1, ['project_id', 'status']],
  ['list_tasks', 1, ['project_id', 'ready']],
  ['show_board', 3, ['project_id']],
] as const)('%s waits %i times for the database with %j', async (tool, most, names) => {
  const { world, of } = await open();
  await using _ = world;
  const { project_id, task_id } = await aBoard(world);
  const all: Record<string, unknown> = { project_id, task_id, status: 'todo', ready: true };
  const input = Object.fromEntries(names.map((name) => [name, all[name]]));

  expect(await of(() => world.ask(tool, input))).toBe(most);
});

it('a todo list waits for its page, and for one count of what follows', async () => {
  const { world, of } = await open();
  await using _ = world;
  const list = { user_id: 'me', limit: 1 };
  for (const title of ['Milk', 'Bread', 'Salt']) await world.ask('todo_add_task', { user_id: 'me', title });

  const { next_cursor: cursor, ...first } = await world.ask('todo_list_tasks', list);

  expect(first).toMatchObject({ remaining: 2, total: 3 });
  expect(await world.ask('todo_list_tasks', { ...list, cursor })).toMatchObject({ remaining: 1, total: 3 });
  expect(await of(() => world.ask('todo_list_tasks', list))).toBe(2);
  expect(await of(() => world.ask('todo_list_tasks', { ...list, cursor }))).toBe(2);
});
