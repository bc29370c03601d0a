import { expect, it } from 'vitest';
import type { ProjectId, WorkItemId, WorkspaceId } from '#domain/ids';
import { MIGRATIONS } from './migrations.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const BEFORE = MIGRATIONS.filter(({ name }) => name < '0028');
const [WORKSPACE, PROJECT] = ['w1', 'p1'] as [WorkspaceId, ProjectId];
const WITHIN = { workspace_id: WORKSPACE, project_ids: 'all' } as const;

/** As the release before writes a task. */
const aTask = (id: string, state: string, number: number | null): string => `
insert into work_items (
  id, workspace_id, project_id, state_id, title, priority, sort_order, version, created_at, updated_at, number)
values ('${id}', 'w1', 'p1', '${state}', 'Water the plants', 'none', 1, 1, 1, 1, ${number});
`;

const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
insert into projects (id, workspace_id, kind, owner_id, name, card_guide, created_at, number)
values ('p1', 'w1', 'team', null, 'Garden', null, 1, 1);
insert into states (id, project_id, slug, name, state_group, position) values ('todo', 'p1', 'todo', 'Todo', 'unstarted', 0);
insert into states (id, project_id, slug, name, state_group, position) values ('done', 'p1', 'done', 'Done', 'completed', 1);
${aTask('i1', 'todo', 1)} ${aTask('i2', 'done', 2)} ${aTask('i3', 'todo', 3)} ${aTask('i4', 'todo', null)}
insert into item_numbers (project_id, last) values ('p1', 3);
insert into dependencies (work_item_id, blocker_id) values ('i1', 'i2'), ('i1', 'i3'), ('i1', 'i4'), ('i3', 'i2');
`;

const DATABASES = upgradesFrom(BEFORE, OLD_ROWS);

async function keptIn({ store }: Awaited<ReturnType<(typeof DATABASES)[number][1]>>) {
  const { board, cards } = store.reads;
  const tasks = ['i1', 'i3'].map((id) => board.task(WITHIN, id as WorkItemId));
  const counts = await cards.counts(WORKSPACE, PROJECT);
  return {
    open_blockers: (await Promise.all(tasks)).map((task) => task?.open_blockers),
    ready: (await board.candidates(WITHIN, { offset: 0, limit: 10 })).map(({ id }) => id),
    counts: Object.fromEntries(counts.map(({ state_id, count }) => [state_id, Number(count)])),
  };
}

it.each(DATABASES)('counts the rows that the release before has left, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();

  expect(await keptIn(upgraded)).toEqual({
    open_blockers: [2, 0],
    ready: ['i3', 'i4'],
    counts: { todo: 3, done: 1 },
  });
});

it.each(DATABASES)('keeps counting while the release before writes, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();

  await upgraded.write(`
    update work_items set state_id = 'done', completed_at = 2 where id = 'i3';
    update work_items set state_id = 'todo', completed_at = null where id = 'i2';
    update item_numbers set last = 4;
    ${aTask('i5', 'todo', 4)}
    insert into dependencies (work_item_id, blocker_id) values ('i5', 'i1');
    delete from dependencies where work_item_id = 'i1' and blocker_id = 'i4'`);

  expect(await keptIn(upgraded)).toEqual({
    open_blockers: [1, 1],
    ready: ['i2', 'i4'],
    counts: { todo: 4, done: 1 },
  });
});
