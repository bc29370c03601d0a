import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { UserId, WorkItemId } from '#domain/ids';
import type { Within } from '#domain/reach';
import { openPostgresStore } from '#store/sql/postgres/open-postgres-store';
import type { Session } from '#store/sql/session';
import { anId, settle } from '#store/testing/contract/fixture';
import { aTeam } from '#store/testing/contract/tracker-fixture';
import { boardReads } from './board.ts';
import { cardReads } from './cards.ts';
import { workItemReads } from './work-items.ts';

const TASKS = 40_000;
const WAITING = 5_000;
/** PostgreSQL plans a statement for its parameters five times, before it compares that to one plan for all. */
const CALLS = 8;

const TASK = (number: string): string => `'00000000-0000-7000-8000-' || lpad((${number})::text, 12, '0')`;
const idOf = (number: number): WorkItemId =>
  `00000000-0000-7000-8000-${String(number).padStart(12, '0')}` as WorkItemId;
const some = (count: number): readonly WorkItemId[] => Array.from({ length: count }, (_, at) => idOf(at * 7 + 100));

const server = inject('postgresUrl');
const name = `plans_${process.pid}_${anId().slice(-12)}`;
const admin = new pg.Client(server);
const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
const client = new pg.Client({ connectionString: url, pipeline: true });
let within: Within;
let user_id: UserId;

beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database ${name}`);
  const store = await openPostgresStore({ url, ids: anId });
  const { user } = await settle(store);
  const { project } = await aTeam(store, user);
  within = { workspace_id: user.workspace_id, project_ids: [project.id] };
  user_id = user.id;
  await store.close();
  await client.connect();
  const tasks = (first: number, last: number, list: string): string => `
    insert into work_items (id, workspace_id, project_id, owner_id, state_id, title, priority, sort_order, version, created_at, updated_at)
    select ${TASK('n')}, p.workspace_id, p.id, p.owner_id, s.id, 'Deploy', 'none', n, 1, n, n
    from generate_series(${first}, ${last}) as n
      cross join (select * from projects where ${list}) as p
      cross join lateral (
        select id from states where project_id = p.id and state_group in ('backlog', 'unstarted') order by id limit 1) as s`;
  await client.query(tasks(1, TASKS, `id = '${project.id}'`));
  await client.query(tasks(TASKS + 1, 2 * TASKS, `owner_id = '${user.id}'`));
  // Nearly all dependencies are on one task.
  await client.query(`insert into dependencies (work_item_id, blocker_id)
    select ${TASK('n')}, ${TASK('1')} from generate_series(2, ${WAITING}) as n`);
  await client.query('vacuum analyze');
}, 60_000);

afterAll(async () => {
  await client.end();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

/** Asks several times; answers the statements that were planned again each time. */
async function plannedAgain(ask: (session: Session) => Promise<unknown>): Promise<readonly string[]> {
  const texts = new Map<string, string>();
  const all: Session['all'] = async (statement, params) => {
    const { name, text, bind } = statement.compile('postgres');
    texts.set(name, text);
    // As in the program's own connection.
    return (await client.query({ name, text, values: bind(params) })).rows as never;
  };
  const session: Session = { all, get: async (statement, params) => (await all(statement, params))[0] ?? null };
  for (let call = 0; call < CALLS; call++) await ask(session);
  const { rows } = await client.query<{ name: string }>(
    'select name from pg_prepared_statements where generic_plans = 0',
  );
  const again = new Set(rows.map((row) => row.name));
  expect(texts.size).toBeGreaterThan(0);
  return [...texts].filter(([name]) => again.has(name)).map(([, text]) => text);
}

const board = (session: Session) => boardReads(session, () => 1);
const page = { status: null, task_id: null, before: null };

it.each<[string, (session: Session) => Promise<unknown>]>([
  ['what waits for a task', (session) => board(session).blocked(within, idOf(TASKS / 2))],
  ['what a task waits for', (session) => board(session).blockers(within, idOf(TASKS / 2))],
  [
    'a page of tasks',
    (session) => board(session).tasks(within, { ...page, project_id: within.project_ids[0] as never, limit: 51 }),
  ],
  ['the first task to begin', (session) => board(session).candidates(within, { offset: 0, limit: 1 })],
  ['a page of tasks to begin', (session) => board(session).candidates(within, { offset: 0, limit: 51 })],
  ['the cards of a board', (session) => cardReads(session).rows(within, some(20))],
  ['what cards show', (session) => cardReads(session).parts(within, some(20))],
  ['a page of todos', (session) => workItemReads(session).todos(user_id, { completed: null, after: null, limit: 51 })],
])('PostgreSQL keeps its plan of %s among many', async (_, ask) => {
  expect(await plannedAgain(ask)).toEqual([]);
});

it('finds all that wait for one task', async () => {
  const all: Session['all'] = async (statement, params) => {
    const { text, bind } = statement.compile('postgres');
    // As above.
    return (await client.query(text, bind(params))).rows as never;
  };
  const session: Session = { all, get: async () => null };

  expect(await board(session).blocked(within, idOf(1))).toHaveLength(WAITING - 1);
  expect((await board(session).blockers(within, idOf(WAITING))).map(({ id }) => id)).toEqual([idOf(1)]);
  expect(await board(session).blocked({ ...within, project_ids: [] }, idOf(1))).toEqual([]);
});
