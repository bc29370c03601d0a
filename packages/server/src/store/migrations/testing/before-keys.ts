import type { WorkspaceId } from '#domain/ids';
import { foundation } from '#store/migrations/0001-foundation';
import { tracker } from '#store/migrations/0002-tracker';
import { executions } from '#store/migrations/0003-executions';
import { board } from '#store/migrations/0004-board';
import { appUsers } from '#store/migrations/0005-app-users';
import { growth } from '#store/migrations/0006-growth';
import { clientSessions } from '#store/migrations/0007-client-sessions';
import { removedRepos } from '#store/migrations/0010-removed-repos';
import { outsideFiles } from '#store/migrations/0011-outside-files';
import { signIn } from '#store/migrations/0012-sign-in';
import { upgradesFrom } from './upgrades-from.ts';

/** The migrations of the release before keys and numbers. */
export const RELEASED = [
  foundation,
  tracker,
  executions,
  board,
  appUsers,
  growth,
  clientSessions,
  removedRepos,
  outsideFiles,
  signIn,
];

export const WORKSPACE = 'w1' as WorkspaceId;
export const EVERYTHING = { workspace_id: WORKSPACE, project_ids: 'all' } as const;

export const aProject = (id: string, number: number, name: string, owner = 'null') => `
insert into projects (id, workspace_id, kind, owner_id, name, card_guide, created_at, number)
values ('${id}', 'w1', '${owner === 'null' ? 'team' : 'personal'}', ${owner}, '${name}', null, 1, ${number});
insert into states (id, project_id, slug, name, state_group, position)
values ('s-${id}', '${id}', 'todo', 'Todo', 'unstarted', 0);
`;

export const anItem = (id: string, project: string) => `
insert into work_items (
  id, workspace_id, project_id, state_id, title, priority, sort_order, version, created_at, updated_at)
values ('${id}', 'w1', '${project}', 's-${project}', 'Water the plants', 'none', 1, 1, 1, 1);
`;

export const anAttempt = (id: string, item: string, created_at: number) => `
insert into attempts (id, workspace_id, project_id, work_item_id, branch, created_by_user_id, created_at, updated_at)
values ('${id}', 'w1', 'p1', '${item}', 'errand/x', 'ann', ${created_at}, ${created_at});
`;

export const anApproval = (id: string) => `
insert into approvals (id, execution_id, attempt_id, kind, question, options, status, created_at)
values ('${id}', 'e1', 'a1', 'permission', 'May I?', '[]', 'pending', 1);
`;

/** A database as the release before left it. */
export const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
insert into users (id, workspace_id, name, role, status, created_at) values ('ann', 'w1', 'Ann', 'admin', 'active', 1);
insert into users (id, workspace_id, name, role, status, created_at) values ('u-app', 'w1', 'x', 'member', 'active', 1);
insert into apps (workspace_id, name, user_count, created_at) values ('w1', 'shop', 1, 1);
insert into app_users (user_id, workspace_id, app, external_id) values ('u-app', 'w1', 'shop', 'x');
${aProject('p1', 1, 'Garden')}
${aProject('p2', 2, 'Garden')}
${aProject('p3', 3, 'Inbox', "'ann'")}
${aProject('p4', 4, 'Inbox', "'u-app'")}
${anItem('i1', 'p1')}
${anItem('i2', 'p1')}
${anItem('i3', 'p2')}
${anAttempt('a1', 'i1', 5)}
${anAttempt('a0', 'i1', 7)}
insert into executions (id, workspace_id, kind, status, user_id, started_at, liveness, attempt_id)
values ('e1', 'w1', 'agent', 'running', 'ann', 1, 'live', 'a1');
${anApproval('q1')}
`;

/** SQLite and PostgreSQL, upgraded from that release. */
export const DATABASES = upgradesFrom(RELEASED, OLD_ROWS, [
  'select id from work_items order by id',
  'select id, execution_id, attempt_id, status from approvals order by id',
]);
