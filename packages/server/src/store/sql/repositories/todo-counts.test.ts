import { expect, it } from 'vitest';
import type { WorkItemId } from '#domain/ids';
import type { WorkItem } from '#domain/work-item';
import { foundation } from '#store/migrations/0001-foundation';
import { upgradesFrom } from '#store/migrations/testing/upgrades-from';
import { anId, settle } from '#store/testing/contract/fixture';
import { aTeam } from '#store/testing/contract/tracker-fixture';
import { createDice } from '#store/testing/histories';

const DATABASES = upgradesFrom([foundation], '');
const HISTORIES = DATABASES.flatMap(([name, open]) => [1, 2].map((seed) => [name, seed, open] as const));
const ROUNDS = 3;
const STEPS = 25;
const CAP = 7;

it.each(HISTORIES)('counts the todos after any todo as they are, on %s, history %i', async (_, seed, open) => {
  await using upgraded = await open();
  const { store, write } = upgraded;
  const { user, project, states, aTodo } = await settle(store);
  const team = await aTeam(store, user);
  const dice = createDice(seed);
  const living = new Map<WorkItemId, WorkItem>();
  // Ids are not in the order of numbers: those who make a todo at once may be committed in any order.
  const spare = Array.from({ length: ROUNDS * STEPS }, () => anId<WorkItemId>());
  const one = () => [...living.values()][dice.below(living.size)] as WorkItem;
  const update = async (item: WorkItem, fields: Partial<WorkItem>): Promise<void> => {
    const changed = { ...item, ...fields, version: item.version + 1 };
    await store.transaction((tx) => tx.workItems.update(changed));
    living.set(item.id, changed);
  };
  const add = async (): Promise<void> => {
    const id = spare.splice(dice.below(spare.length), 1)[0] as WorkItemId;
    const todo = aTodo({ id, completed_at: dice.below(2) === 0 ? null : 1 });
    await store.transaction((tx) => tx.workItems.insert(todo));
    living.set(id, todo);
  };
  const acts: readonly (() => Promise<void>)[] = [
    add,
    add,
    async () => {
      const item = one();
      await update(item, { completed_at: item.completed_at === null ? 1 : null });
    },
    async () => {
      const { id, workspace_id } = one();
      await store.transaction((tx) => tx.workItems.delete(workspace_id, id));
      living.delete(id);
    },
    async () => {
      const item = one();
      const isHere = item.project_id === project.id;
      const there = isHere ? team : { project, states };
      await update(item, {
        project_id: there.project.id,
        owner_id: isHere ? null : user.id,
        state_id: there.states[0]?.id ?? item.state_id,
      });
    },
    async () => {
      // As a server that knows of no numbers writes a todo.
      const item = one();
      await write(`update work_items set number = null where id = '${item.id}'`);
    },
    async () => void (await store.transaction((tx) => tx.names.giveNumbers(100))),
  ];
  const check = async (when: string): Promise<void> => {
    const own = [...living.values()].filter(({ owner_id }) => owner_id !== null);
    const ids = [null, ...own.map(({ id }) => id)];
    for (const after of [null, ids[dice.below(ids.length)], ids[dice.below(ids.length)]]) {
      for (const completed of [null, false, true]) {
        const follow = own.filter(
          ({ id, completed_at }) => id > (after ?? '') && (completed === null || (completed_at !== null) === completed),
        );
        for (const limit of [CAP, 1_000]) {
          const count = await store.reads.workItems.countTodos(user.id, { completed, after: after ?? null, limit });
          expect([when, after, completed, count]).toEqual([when, after, completed, Math.min(follow.length, limit)]);
        }
      }
    }
  };

  for (let round = 1; round <= ROUNDS; round++) {
    for (let step = 1; step <= STEPS; step++) {
      await (living.size < 4 ? add : acts[dice.below(acts.length)])?.();
      if (step % 5 === 0) await check(`round ${round}, step ${step}`);
    }
    while ((await store.transaction((tx) => tx.names.giveNumbers(100))) > 0);
    // As if the numbers of the blocks had been given since.
    await write('update item_numbers set last = (last / 256 + 2) * 256');
    expect(await store.reads.upkeep.hasUncounted()).toBe(true);
    while (await store.transaction((tx) => tx.upkeep.count()));
    expect(await store.reads.upkeep.hasUncounted()).toBe(false);
    await check(`round ${round}, counted`);
  }

  // Nothing is left beside the blocks but what came after them: there a count would read all of it.
  await write('update todo_blocks set pending = 0, completed = 0');
  expect(await store.reads.workItems.countTodos(user.id, { completed: null, after: null, limit: 1_000 })).toBe(0);
});
