import { expect, it } from 'vitest';
import type { UserId, WorkItemId } from '#domain/ids';
import { MIGRATIONS } from './migrations.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const BEFORE = MIGRATIONS.filter(({ name }) => name < '0032');
const USER = 'u1' as UserId;

/** As the release before writes a todo. */
const aTodo = (number: number, completed_at: number | null): string => `
insert into work_items (
  id, workspace_id, project_id, owner_id, state_id, title, priority, sort_order, completed_at, version, created_at, updated_at,
  number)
values ('i${1_000 + number}', 'w1', 'p1', 'u1', 'todo', 'Water the plants', 'none', 1, ${completed_at}, 1, 1, 1, ${number});
`;

const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
insert into users (id, workspace_id, name, role, status, created_at) values ('u1', 'w1', 'Ana', 'member', 'active', 1);
insert into projects (id, workspace_id, kind, owner_id, name, card_guide, created_at, number)
values ('p1', 'w1', 'personal', 'u1', 'Todos', null, 1, 1);
insert into states (id, project_id, slug, name, state_group, position) values ('todo', 'p1', 'todo', 'Todo', 'unstarted', 0);
${aTodo(1, null)} ${aTodo(2, 7)} ${aTodo(300, null)} ${aTodo(301, 7)} ${aTodo(600, null)}
insert into item_numbers (project_id, last) values ('p1', 600);
`;

it.each(upgradesFrom(BEFORE, OLD_ROWS))(
  'keeps counting while the release before writes todos, on %s',
  async (_, upgrade) => {
    await using upgraded = await upgrade();
    const { countTodos } = upgraded.store.reads.workItems;
    const counts = (after: string | null) =>
      Promise.all(
        [false, true].map((completed) =>
          countTodos(USER, { completed, after: after as WorkItemId | null, limit: 100 }),
        ),
      );
    expect([await counts(null), await counts('i1300')]).toEqual([
      [3, 2],
      [1, 1],
    ]);
    expect(await upgraded.store.reads.upkeep.hasUncounted()).toBe(false);

    await upgraded.write(`
    update work_items set completed_at = 8 where number = 1;
    update work_items set completed_at = null where number = 301;
    delete from work_items where number = 2;
    update item_numbers set last = 601;
    ${aTodo(601, 7)}`);

    expect([await counts(null), await counts('i1300')]).toEqual([
      [3, 2],
      [2, 1],
    ]);
  },
);
