import { expect, it } from 'vitest';
import type { UserId, WorkItemId, WorkspaceId } from '#domain/ids';
import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { executions } from './0003-executions.ts';
import { board } from './0004-board.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
insert into users (id, workspace_id, name, role, status, created_at) values ('ann', 'w1', 'Ann', 'admin', 'active', 1);
`;

const DATABASES = upgradesFrom([foundation, tracker, executions, board], OLD_ROWS, ['select id from users']);

it.each(DATABASES)('lets people of the release before look at tasks, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const [workspace_id, user_id] = ['w1', 'ann'] as [WorkspaceId, UserId];
  const { transaction, reads } = upgraded.store;

  const item = { id: 'none' as WorkItemId, workspace_id };

  await transaction((tx) => tx.presence.drop(workspace_id, user_id, item));

  expect(await reads.presence.of(item, 0, 10)).toEqual([]);
  expect(await upgraded.askAgain()).toEqual([[{ id: 'ann' }]]);
});
