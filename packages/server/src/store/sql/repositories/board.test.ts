import { expect, it } from 'vitest';
import type { AttemptId, ProjectId, StateId, UserId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { Session } from '#store/sql/session';
import { migrateDatabase, openDatabase } from '#store/sql/sqlite/open-database';
import type { BoardQuery } from '#store/store';
import { attemptReads } from './attempts.ts';
import { auditReads } from './audit.ts';
import { boardReads } from './board.ts';
import { cardReads } from './cards.ts';
import { inboxReads } from './inbox.ts';
import { queueReads } from './run-queue.ts';
import { workItemReads } from './work-items.ts';

const WITHIN = { workspace_id: 'w1' as WorkspaceId, project_ids: ['p1' as ProjectId] };
const QUERY = { project_id: 'p1' as ProjectId, status: null, task_id: null, before: null, limit: 50 };

const board = (session: Session) => boardReads(session, () => 1);

/** How SQLite would go about a question. */
async function plan(ask: (session: Session) => Promise<unknown>): Promise<readonly string[]> {
  using db = openDatabase(':memory:');
  migrateDatabase(db);
  const details: string[] = [];
  const all: Session['all'] = async (statement, params) => {
    const { text, bind } = statement.compile('sqlite');
    details.push(
      ...db
        .prepare(`explain query plan ${text}`)
        .all(...bind(params))
        .map(({ detail }) => String(detail)),
    );
    return [];
  };
  await ask({ all, get: async (statement, params) => (await all(statement, params))[0] ?? null });
  return details;
}

const scans = (details: readonly string[]): readonly string[] =>
  details.filter((detail) => /^SCAN (?!json_each)|TEMP B-TREE/.test(detail));

/** Of the tasks in the order of an index, those with an equal place are sorted by their ids. */
const SORTS_EQUAL = 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY';

it.each([
  ['all tasks', {}, 'items_of_project (project_id=? AND id<?)'],
  ['the tasks of one state', { status: 'todo' }, 'items_of_state (state_id=? AND id<?)'],
  ['tasks from some place on', { before: 'i9' as WorkItemId }, 'items_of_project (project_id=? AND id<?)'],
] satisfies readonly (readonly [string, Partial<BoardQuery>, string])[])(
  'walks an index in order, without a scan of another table, for %s',
  async (_, fields, index) => {
    const details = await plan((session) => board(session).tasks(WITHIN, { ...QUERY, ...fields }));

    expect(details[0]).toBe(`SEARCH work_items USING INDEX ${index}`);
    expect(scans(details)).toEqual([]);
  },
);

it('finds each kind of what waits for a person by its own index, in order', async () => {
  const query = { project_id: null, attempt_id: null, before: null, limit: 50 };

  const details = await plan((session) => inboxReads(session).list(WITHIN, query));
  const OWN = /open_approvals|resting_attempts|stalled_runs|failed_jobs/;
  const resting = 'attempts USING INDEX resting_attempts (workspace_id=? AND run_status=? AND (updated_at,id)<(?,?))';

  expect(details.filter((detail) => OWN.test(detail)).map((detail) => detail.replace('SEARCH ', ''))).toEqual([
    'approvals USING INDEX open_approvals ((created_at,id)<(?,?))',
    ...[resting, resting, resting],
    'executions USING INDEX stalled_runs (workspace_id=?)',
    'git_jobs USING INDEX failed_jobs (workspace_id=? AND (ended_at,id)<(?,?))',
  ]);
  expect(scans(details)).toEqual([]);
});

it('finds possibly ready tasks by their state, and reads no finished ones', async () => {
  const details = await plan((session) => board(session).candidates(WITHIN, { offset: 0, limit: 9 }));

  expect(details).toContain('SEARCH work_items USING INDEX ready (<expr>=?)');
  // Of each state no more than the page are read: their order is that of the index.
  const walk = details.slice(details.indexOf('CORRELATED LIST SUBQUERY 2'), details.indexOf('SCAN page'));
  expect(walk.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([
    SORTS_EQUAL,
    'USE TEMP B-TREE FOR ORDER BY',
  ]);
});

it('reads of the attempts of a task no more than the newest', async () => {
  const task = await plan((session) => board(session).task(WITHIN, 'i1' as WorkItemId));
  const attempts = task.filter((detail) => detail.includes(' attempts '));

  expect(attempts).toEqual(Array(2).fill('SEARCH attempts USING COVERING INDEX attempts_of_item (work_item_id=?)'));
  expect(task).toContain('SEARCH latest USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN');
});

it('ranks possibly ready tasks by the expression of the index', async () => {
  using db = openDatabase(':memory:');
  migrateDatabase(db);
  const texts: string[] = [];
  const all: Session['all'] = async (statement) => {
    texts.push(statement.compile('sqlite').text);
    return [];
  };

  await board({ all, get: async () => null }).candidates(WITHIN, { offset: 0, limit: 9 });

  const rank = /order by (.+?), work_items.sort_order/.exec(texts.join())?.[1];
  expect(db.prepare(`select sql from sqlite_schema where name = 'ready'`).get()).toEqual({
    sql: expect.stringContaining(`, (${rank}), sort_order)`),
  });
});

it.each([
  [null, 'items_of_project (project_id=? AND id>?)'],
  [false, 'items_of_state (state_id=? AND id>?)'],
  [true, 'items_of_state (state_id=? AND id>?)'],
])('reads a todo list in the order of an index, completed %s', async (completed, index) => {
  const query = { completed, after: null, limit: 9 };
  const details = await plan((session) => workItemReads(session).todos('u1' as UserId, query));

  expect(details.join()).toContain(index);
  expect(details.filter((detail) => detail.startsWith('SCAN work_items'))).toEqual([]);
});

it.each([
  [{}, 'INTEGER PRIMARY KEY (rowid>? AND rowid<?)'],
  [{ user_id: 'u1' as UserId }, 'INDEX entries_of_actor (actor=? AND seq>? AND seq<?)'],
  [{ action: 'todo_add_task' }, 'INDEX entries_of_act (act=? AND seq>? AND seq<?)'],
  [{ entity_id: '00000000-0000-7000-8000-000000000001' }, 'INDEX entries_of_entity (entity_id=? AND seq>? AND seq<?)'],
])('lists audit entries by an index, for %s', async (filter, index) => {
  const query = { before: null, limit: 9, ...filter };
  const details = await plan((session) => auditReads(session).list(WITHIN.workspace_id, query));

  expect(details.find((detail) => / newest /.test(detail))).toContain(index);
});

it('finds expired claims among the held ones', async () => {
  const details = await plan((session) => board(session).expiredClaims(9));

  expect(details).toEqual(['SEARCH claims USING INDEX held_claims (lease_until<?)']);
});

it('reads the attempts of an item, and the end of their feed, by an index', async () => {
  const id = 't1' as AttemptId;
  const details = [
    ...(await plan((session) => attemptReads(session).ofItem(WITHIN, 'i1' as WorkItemId, { after: null, limit: 9 }))),
    ...(await plan((session) => attemptReads(session).latestFeed({ id, workspace_id: WITHIN.workspace_id }, 9))),
    ...(await plan((session) => attemptReads(session).removals('host-1'))),
    ...(await plan((session) => attemptReads(session).leftovers('host-1'))),
  ];

  expect(scans(details)).toEqual([]);
});

it('finds runs that have not ended, however many have ended', async () => {
  const runs = (session: Session) => queueReads(session, () => 1);
  const [waiting, lost, held] = await Promise.all([
    plan((session) => runs(session).waiting({ executors: [], host_id: 'host-1', limit: 1 })),
    plan((session) => runs(session).lost([])),
    plan((session) => runs(session).heldBy('worker-1')),
  ]);

  expect(scans(waiting)).toEqual(['SCAN executions USING INDEX queued_runs']);
  expect(lost[0]).toBe('SEARCH executions USING INDEX running_runs (attempt_id>?)');
  expect(held[0]).toBe('SEARCH executions USING INDEX running_runs (attempt_id>?)');
  expect([...scans(lost), ...scans(held)]).toEqual([]);
});

it('walks the columns of a board in the order of their own indexes', async () => {
  const query = {
    workspace_id: WITHIN.workspace_id,
    project_id: QUERY.project_id,
    state_id: 's1' as StateId,
    limit: 9,
  };

  for (const [is_ended, index] of [
    [false, 'open_columns'],
    [true, 'ended_columns'],
  ] as const) {
    const details = await plan((session) => cardReads(session).column({ ...query, is_ended, after: null }));

    expect(details.join()).toMatch(new RegExp(`INDEX ${index} \\(<expr>=\\? AND \\S+[<>]\\S*\\?`));
    expect(scans(details)).toEqual([SORTS_EQUAL]);
  }
});

it('counts the tasks of a board without a walk through them', async () => {
  const details = await plan((session) => cardReads(session).counts(WITHIN.workspace_id, QUERY.project_id));

  expect(details.filter((detail) => detail.includes(' work_items '))).toEqual([
    'SEARCH work_items USING INDEX item_of_number (project_id=? AND number>? AND number<?)',
    'SEARCH work_items USING INDEX unnumbered_of_project (project_id=?)',
  ]);
});

it('finds the tasks of a board that need a person by their open questions', async () => {
  const details = await plan((session) => cardReads(session).needing(WITHIN.workspace_id, QUERY.project_id, 9));

  expect(details.filter((detail) => detail.includes(' work_items '))).toEqual([
    'SEARCH work_items USING INDEX items_of_project (project_id=? AND id=?)',
  ]);
});
