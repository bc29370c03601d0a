import { expect, it } from 'vitest';
import type { StateId } from '#domain/ids';
import type { State } from '#domain/project';
import type { WorkItem } from '#domain/work-item';
import { foundation } from '#store/migrations/0001-foundation';
import { upgradesFrom } from '#store/migrations/testing/upgrades-from';
import type { Store } from '#store/store';
import { anId } from '#store/testing/contract/fixture';
import { settleTeams } from '#store/testing/contract/tracker-fixture';
import { createDice } from '#store/testing/histories';

const DATABASES = upgradesFrom([foundation], '');
const SEEDS = [1, 2, 3];
const STEPS = 150;

type Team = Awaited<ReturnType<typeof settleTeams>>['garden'];

/** A random history of tasks: made, blocked, moved between states and projects, deleted; some by the release before. */
function createHistory(store: Store, teams: readonly Team[], seed: number, write: (text: string) => Promise<void>) {
  const dice = createDice(seed);
  const living = new Map<WorkItem['id'], WorkItem>();
  const one = <T>(list: readonly T[]): T => list[dice.below(list.length)] as T;
  const update = async (item: WorkItem, fields: Partial<WorkItem>): Promise<void> => {
    const changed = { ...item, ...fields, version: item.version + 1 };
    await store.transaction((tx) => tx.workItems.update(changed));
    living.set(item.id, changed);
  };

  const acts: readonly (() => Promise<void>)[] = [
    async () => {
      const made = one(teams).anItem();
      await store.transaction((tx) => tx.workItems.insert(made));
      living.set(made.id, made);
    },
    async () => {
      const blockers = Array.from({ length: dice.below(4) }, () => one([...living.keys()]));
      const item = one([...living.values()]);
      await store.transaction((tx) =>
        tx.board.setBlockers(
          item,
          blockers.filter((id) => id !== item.id),
        ),
      );
    },
    async () => {
      const item = one([...living.values()]);
      const team = teams.find(({ project }) => project.id === item.project_id) as Team;
      await update(item, { state_id: one(team.states).id });
    },
    async () => {
      const team = one(teams);
      await update(one([...living.values()]), { project_id: team.project.id, state_id: one(team.states).id });
    },
    async () => {
      if (living.size < 5) return;
      const item = one([...living.values()]);
      await store.transaction((tx) => tx.workItems.delete(item.workspace_id, item.id));
      living.delete(item.id);
    },
    async () => {
      // As the release before writes a dependency: it does not know the new column.
      const [item, blocker] = [one([...living.keys()]), one([...living.keys()])];
      if (item === blocker) return;
      await write(
        `insert into dependencies (work_item_id, blocker_id) values ('${item}', '${blocker}') on conflict do nothing`,
      );
    },
    async () => void (await store.transaction((tx) => tx.names.giveNumbers(100))),
    async () => void (await store.transaction((tx) => tx.upkeep.count())),
  ];

  return {
    living,
    step: async (): Promise<void> => {
      const act = living.size < 4 ? acts[0] : one(acts);
      await act?.();
    },
    count: async (): Promise<void> => {
      // As if a thousand tasks more had been made since.
      for (const { project } of teams) {
        await write(`update item_numbers set last = last + 1000 where project_id = '${project.id}'`);
      }
      while (await store.transaction((tx) => tx.upkeep.count()));
    },
  };
}

const HISTORIES = DATABASES.flatMap(([name, open]) => SEEDS.map((seed) => [name, seed, open] as const));

it.each(HISTORIES)(
  'keeps the number of open blockers and of tasks in a state right, on %s, history %i',
  async (_, seed, open) => {
    await using upgraded = await open();
    const { store, write } = upgraded;
    const { garden, kitchen, everything, workspace_id } = await settleTeams(store);
    const cancelled: State = {
      ...(garden.states[0] as State),
      id: anId<StateId>(),
      slug: 'cancelled',
      state_group: 'cancelled',
    };
    await store.transaction((tx) => tx.projects.insertState(cancelled));
    const teams = [{ ...garden, states: [...garden.states, cancelled] }, kitchen];
    const history = createHistory(store, teams, seed, write);

    for (let step = 1; step <= STEPS; step++) {
      await history.step();
      if (step % 40 === 0) await history.count();
      if (step % 10 !== 0) continue;

      for (const id of history.living.keys()) {
        const open = (await store.reads.board.blockers(everything, id)).filter(
          (one) => one.state_group !== 'completed',
        );
        const task = await store.reads.board.task(everything, id);
        expect([step, id, task?.open_blockers]).toEqual([step, id, open.length]);
      }
      for (const { project } of teams) {
        const items = [...history.living.values()].filter(({ project_id }) => project_id === project.id);
        const counts = await store.reads.cards.counts(workspace_id, project.id);
        const computed = Map.groupBy(items, ({ state_id }) => state_id);
        expect([step, new Map(counts.map(({ state_id, count }) => [state_id, Number(count)]))]).toEqual([
          step,
          new Map([...computed].map(([state_id, found]) => [state_id, found.length])),
        ]);
      }
    }
  },
);
