import { expect, it } from 'vitest';
import type { AttemptId, WorkspaceId } from '#domain/ids';
import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { executions } from './0003-executions.ts';
import { board } from './0004-board.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const COLUMNS =
  'id, workspace_id, project_id, work_item_id, branch, host_id, removal, run_status, created_by_user_id, created_by_agent_id, created_at, updated_at';
const anAttempt = (id: string): string => `
insert into attempts (${COLUMNS}) values ('${id}', 'w1', 'p1', 'i1', 'errand/x', null, null, null, 'ann', null, 1, 1);
`;

/** A database as the release before left it. */
const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
insert into users (id, workspace_id, name, role, status, created_at) values ('ann', 'w1', 'Ann', 'admin', 'active', 1);
insert into projects (id, workspace_id, kind, owner_id, name, card_guide, created_at, number)
values ('p1', 'w1', 'team', null, 'Garden', null, 1, 1);
insert into states (id, project_id, slug, name, state_group, position) values ('s1', 'p1', 'todo', 'Todo', 'unstarted', 0);
insert into work_items (
  id, workspace_id, project_id, state_id, title, priority, sort_order, version, created_at, updated_at)
values ('i1', 'w1', 'p1', 's1', 'Water the plants', 'none', 1, 1, 1, 1);
${anAttempt('a1')}
`;

const DATABASES = upgradesFrom([foundation, tracker, executions, board], OLD_ROWS, [
  `select ${COLUMNS} from attempts order by id`,
]);

it.each(DATABASES)('reads attempts of the release before, and lets that release go on, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const within = { workspace_id: 'w1' as WorkspaceId, project_ids: 'all' } as const;
  const { find } = upgraded.store.reads.attempts;

  await upgraded.write(anAttempt('a2'));
  const [rows] = await upgraded.askAgain();

  expect(await find(within, 'a1' as AttemptId)).toMatchObject({ branch: 'errand/x', outside: null });
  expect(await find(within, 'a2' as AttemptId)).toMatchObject({ outside: null });
  expect(rows).toHaveLength(2);
});
