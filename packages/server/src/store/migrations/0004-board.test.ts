import { expect, it } from 'vitest';
import type { ProjectId, RepoId, RunId, WorkItemId, WorkspaceId } from '#domain/ids';
import { foundation } from './0001-foundation.ts';
import { tracker } from './0002-tracker.ts';
import { executions } from './0003-executions.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const [WORKSPACE, PROJECT, ITEM] = ['w1', 'p1', 'i1'] as [WorkspaceId, ProjectId, WorkItemId];
const WITHIN = { workspace_id: WORKSPACE, project_ids: 'all' } as const;

/** As the release before writes them. */
const aToken = (id: string): string => `
insert into tokens (id, workspace_id, kind, name, hash, user_id, agent_id, scopes, acts_for, created_at)
values ('${id}', 'w1', 'user', 'laptop', 'hash-${id}', 'ann', null, '["todo:read"]', '"self"', 1);
`;
const aRepo = (id: string): string => `
insert into repos (id, project_id, name, path, target_branch, created_at)
values ('${id}', 'p1', 'shed', '/${id}', 'main', 1);
`;
const anExecution = (id: string): string => `
insert into executions (id, workspace_id, kind, status, project_id, work_item_id, user_id, started_at, seen_at)
values ('${id}', 'w1', 'external', 'running', 'p1', 'i1', 'ann', 1, 1);
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
${aToken('t1')} ${aRepo('r1')} ${anExecution('e1')}
`;

/** As the release before asks for them. */
const OLD_QUESTIONS = [
  'select tokens.*, users.status as owner_status from tokens join users on users.id = tokens.user_id order by tokens.id',
  'select repos.* from repos order by repos.id',
];

const DATABASES = upgradesFrom([foundation, tracker, executions], OLD_ROWS, OLD_QUESTIONS);

it.each(DATABASES)('keeps tokens, repositories, runs and tasks of the release before, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { reads } = upgraded.store;
  const visibility = { workspace_id: WORKSPACE, sees: () => true };

  expect((await reads.tokens.present('hash-t1'))?.known.token).toMatchObject({ attempt_id: null, project_id: null });
  expect(await reads.projects.repos(WORKSPACE, PROJECT)).toMatchObject([{ id: 'r1', setup_script: null }]);
  expect(await reads.runs.seen(visibility, 'e1' as RunId)).toMatchObject({ attempt_id: null, session_id: null });
  expect(await reads.board.task(WITHIN, ITEM)).toMatchObject({ state_slug: 'todo', latest_attempt_id: null });
});

it.each(DATABASES)('gives a repository of the release before a set-up script, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store } = upgraded;
  const repo = await store.reads.projects.repo(WORKSPACE, 'r1' as RepoId);
  if (repo === null) throw new Error('The repository is gone.');

  await store.transaction((tx) => tx.projects.updateRepo({ ...repo, setup_script: 'npm ci' }));

  expect(await store.reads.projects.repo(WORKSPACE, repo.id)).toEqual({ ...repo, setup_script: 'npm ci' });
});

it.each(DATABASES)('lets the release before go on reading and writing on the new schema, on %s', async (_, upgrade) => {
  await using upgraded = await upgrade();
  const { store, write, askAgain } = upgraded;

  await write(`${aToken('t2')} ${aRepo('r2')} ${anExecution('e2')}`);

  expect(await askAgain()).toMatchObject([
    [
      { id: 't1', owner_status: 'active' },
      { id: 't2', owner_status: 'active' },
    ],
    [{ id: 'r1' }, { id: 'r2' }],
  ]);
  expect(await store.reads.tokens.present('hash-t2')).toMatchObject({ known: { token: { attempt_id: null } } });
  expect(await store.reads.projects.repos(WORKSPACE, PROJECT)).toHaveLength(2);
  expect(await store.reads.runs.find(WITHIN, 'e2' as RunId)).toMatchObject({ attempt_id: null });
});
