import { expect, it } from 'vitest';
import type { AgentId, AttemptId, ProjectId, UserId, WorkspaceId } from '#domain/ids';
import type { RunVisibility } from '#domain/run-visibility';
import type { Session } from '#store/sql/session';
import { migrateDatabase, openDatabase } from '#store/sql/sqlite/open-database';
import type { RunQuery } from '#store/store';
import { listRuns } from './run-lists.ts';

const [garden, kitchen] = ['p1', 'p2'] as [ProjectId, ProjectId];

const aVisibility = (fields: Partial<RunVisibility>): RunVisibility => ({
  workspace_id: 'w1' as WorkspaceId,
  sees: () => true,
  whose: 'person',
  user_id: 'ann' as UserId,
  agent_id: null,
  service_id: 'ann',
  attempt_id: null,
  own_project_ids: [garden],
  project_ids: [garden],
  ...fields,
});

/** Which rows of the table SQLite would look at for a list. */
async function plan(visibility: Partial<RunVisibility>, filters: Partial<RunQuery> = {}): Promise<readonly string[]> {
  using db = openDatabase(':memory:');
  migrateDatabase(db);
  const details: string[] = [];
  const session: Pick<Session, 'all'> = {
    all: async (statement, params) => {
      const { text, bind } = statement.compile('sqlite');
      const rows = db.prepare(`explain query plan ${text}`).all(...bind(params));
      details.push(...rows.map(({ detail }) => String(detail)).filter((detail) => detail.includes('executions')));
      return [];
    },
  };
  await listRuns(session, aVisibility(visibility), { before: null, limit: 10, ...filters });
  return details;
}

const search = (index: string, ...columns: readonly string[]): string =>
  `SEARCH executions USING INDEX ${index} (${[...columns, 'id'].join('=? AND ')}<?)`;

it.each([
  ['everyone', { project_ids: 'all' }, {}, search('runs_of_workspace', 'workspace_id')],
  [
    'everyone by status',
    { project_ids: 'all' },
    { status: 'failed' },
    search('runs_of_workspace_by_status', 'workspace_id', 'status'),
  ],
  ['a project', {}, { project_id: garden }, search('runs_of_project', 'project_id')],
  [
    'a project by status',
    {},
    { project_id: garden, status: 'running' },
    search('runs_of_project_by_status', 'project_id', 'status'),
  ],
  ['one’s own', { project_ids: [] }, {}, search('runs_of_user', 'user_id')],
  [
    'an agent’s own',
    { whose: 'agent', project_ids: [], agent_id: 'a1' as AgentId },
    {},
    search('runs_of_user', 'user_id'),
  ],
  ['a service’s own', { whose: 'service', project_ids: [] }, {}, search('runs_of_user', 'user_id')],
  [
    'an attempt',
    { whose: 'attempt', project_ids: 'all', attempt_id: 't1' as AttemptId },
    {},
    search('runs_of_attempt', 'attempt_id'),
  ],
  ['one’s own in the project of others', {}, { project_id: kitchen }, search('runs_of_user', 'user_id')],
  ['a work item', { project_ids: 'all' }, { work_item_id: 'i1' }, search('runs_of_item', 'work_item_id')],
] as const)('walks one index, newest first, for the runs of %s', async (_, visibility, filters, expected) => {
  expect(await plan(visibility, filters)).toEqual([expected]);
});

it('walks the index of the user and that of each project for runs of both', async () => {
  expect(await plan({ project_ids: [garden, kitchen] }, { status: 'running' })).toEqual([
    search('runs_of_user_by_status', 'user_id', 'status'),
    'SEARCH executions USING INDEX sqlite_autoindex_executions_1 (id=?)',
    search('runs_of_project_by_status', 'project_id', 'status'),
  ]);
});
