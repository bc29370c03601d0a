import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openPostgresStore } from '../../../packages/server/src/store/sql/postgres/open-postgres-store.ts';
import { SEGMENT_SIZE } from '../../../packages/server/src/store/sql/repositories/search-entries.ts';
import { openSqliteStore } from '../../../packages/server/src/store/sql/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../packages/server/src/store/store.ts';
import type { Place } from '../../../test/e2e/program.ts';

type Dialect = keyof typeof SEGMENT_SIZE;

export interface Crowd {
  readonly project_id: string;
  readonly tasks: number;
  /** How many of the tasks that come before all others wait for one that is not completed. */
  readonly blocked: number;
}

/** How many attempts wait for a review, however many tasks there are. */
export const WAITING = 40;

/** As many todos and events at least: a page of them, and what is counted behind it. */
const LEAST = 1_000;

const FIRST_MS = 1_600_000_000_000;

/** The id of a task: one was made each second, so that ids are in the order of numbers. */
export function idOf(number: number): string {
  const hex = (FIRST_MS + number * 1_000).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`;
}

const HEX: Readonly<Record<Dialect, string>> = {
  sqlite: `printf('%012x', ${FIRST_MS} + n.i * 1000)`,
  postgres: `lpad(to_hex(${FIRST_MS} + n.i::bigint * 1000), 12, '0')`,
};
const PADDED: Readonly<Record<Dialect, string>> = {
  sqlite: "printf('%012d', n.i)",
  postgres: "lpad(n.i::text, 12, '0')",
};
const ID = (dialect: Dialect): string =>
  `substr(${HEX[dialect]}, 1, 8) || '-' || substr(${HEX[dialect]}, 9) || '-7000-8000-' || ${PADDED[dialect]}`;

const numbers = (most: number): string =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most})`;

/** Words that occur in every title, in one of a hundred, and in only one. */
const TITLE = `'deploy ' || case when n.i % 100 = 0 then 'rarely' else 'often' end || ' the gateway, ticket' || n.i || ' part ' || (n.i % 7)`;
const TITLE_TERMS = `'~!deploy ~!' || case when n.i % 100 = 0 then 'rarely' else 'often' end
  || ' ~!the ~!gateway ~!ticket' || n.i || ' ~!part ~!' || (n.i % 7)`;
const TODO_TERMS = "'~!buy ~!groceries ~!' || n.i";
const TEXT = 'What is to be done, and why.';
const TEXT_TERMS = ' ~.what ~.is ~.to ~.be ~.done ~.and ~.why';

/** The first of every four is ready, and the others are at work, in review and done. */
const state = (blocked: number): string => `case
  when n.i <= 4 * ${blocked} then case when n.i % 4 = 3 then 'done' when n.i % 4 = 0 then 'todo' else 'inprogress' end
  when n.i % 4 = 0 then 'todo' when n.i % 4 = 1 then 'inprogress' when n.i % 4 = 2 then 'inreview' else 'done' end`;

function tasks(dialect: Dialect, { project_id, tasks: count, blocked }: Crowd): readonly string[] {
  const project = `(select p.id, p.workspace_id from projects p where p.id = '${project_id}')`;
  const urgent = `n.i % 4 = 0 and n.i <= 4 * ${blocked}`;
  const columns =
    'id, workspace_id, project_id, owner_id, state_id, title, description, priority, sort_order, completed_at, version, created_at, updated_at, number';
  const personal = Math.max(Math.floor(count / 10), LEAST);
  return [
    `insert into work_items (${columns}) ${numbers(count)}
     select ${ID(dialect)}, p.workspace_id, p.id, null, s.id, ${TITLE}, '${TEXT}',
       case when ${urgent} then 'urgent' else 'none' end, n.i, case s.slug when 'done' then n.i end, 1, n.i, n.i, n.i
     from n cross join ${project} p join states s on s.project_id = p.id and s.slug = ${state(blocked)}`,
    `insert into item_numbers (project_id, last) values ('${project_id}', ${count})`,
    ...(blocked === 0
      ? []
      : [
          `insert into dependencies (work_item_id, blocker_id)
           select id, '${idOf(1)}' from work_items where project_id = '${project_id}' and priority = 'urgent'`,
        ]),
    // The list of the first person, who owns the token.
    `insert into work_items (${columns}) ${numbers(personal)}
     select replace(${ID(dialect)}, '-7000-', '-7001-'), p.workspace_id, p.id, p.owner_id, s.id, 'Buy groceries ' || n.i, null,
       'none', n.i, case s.slug when 'done' then n.i end, 1, n.i, n.i, n.i
     from n cross join (select * from projects where kind = 'personal' order by id limit 1) p
       join states s on s.project_id = p.id and s.slug = case when n.i % 2 = 0 then 'done' else 'todo' end`,
    `insert into item_numbers (project_id, last) select id, ${personal} from projects where kind = 'personal' order by id limit 1`,
  ];
}

/** What the program's upkeep would have made of the tasks. */
function kept(dialect: Dialect): readonly string[] {
  const size = SEGMENT_SIZE[dialect];
  const position = dialect === 'sqlite' ? 'seq' : 'id';
  const place = `n.project || case when n.i < n.last / ${size} * ${size} then '_' || (n.i / ${size}) else '' end`;
  const terms = `replace(case when n.owner_id is null then ${TITLE_TERMS} || '${TEXT_TERMS}' else ${TODO_TERMS} end, '~', ${place})`;
  const entries = (written: string): string => `
    select n.position, ${written} from (
      select work_items.${position} as position, work_items.number as i, work_items.owner_id, projects.number as project,
        item_numbers.last
      from work_items join projects on projects.id = work_items.project_id
        join item_numbers on item_numbers.project_id = work_items.project_id
    ) as n order by n.position`;
  return [
    'update counted_items set last = item_numbers.last from item_numbers where item_numbers.project_id = counted_items.project_id',
    'delete from state_moves',
    'delete from state_counts',
    `insert into state_counts (project_id, state_id, count)
     select project_id, state_id, count(*) from work_items group by project_id, state_id`,
    `insert into todo_blocks (project_id, block, oldest, newest, pending, completed)
     select work_items.project_id, number / 256, min(id), max(id), count(*) - count(completed_at), count(completed_at)
     from work_items join item_numbers on item_numbers.project_id = work_items.project_id
     where owner_id is not null and number < last / 256 * 256 group by work_items.project_id, number / 256`,
    `insert into search_segments (project_id, segment, oldest, newest, filed, made_at)
     select project_id, number / ${size}, min(${position}), max(${position}), (number / ${size} + 1) * ${size} - 1, 1
     from work_items
     where number < (select last / ${size} * ${size} from item_numbers where item_numbers.project_id = work_items.project_id)
     group by project_id, number / ${size}`,
    ...(dialect === 'sqlite'
      ? [`insert into search_index (rowid, terms) ${entries(terms)}`]
      : [
          // The index is made at the end: built entry by entry, it would take minutes.
          'drop index search_index',
          `insert into search_entries (item_id, terms) ${entries(`array_to_tsvector(string_to_array(${terms}, ' '))`)}`,
          'create index search_index on search_entries using gin (terms) with (fastupdate = off)',
        ]),
  ];
}

/** Attempts of which a few wait for a review, calls that were audited, and events of the last minutes. */
function beside({ project_id, tasks: count }: Crowd, now: number): readonly string[] {
  const some = Math.floor(count / 10);
  const events = Math.max(some, LEAST);
  const person = `(select id, workspace_id from users order by id limit 1)`;
  const audience = `{"scope":"board:read","project_id":"${project_id}","user_id":null,"agent_id":null,"service_id":null}`;
  return [
    `insert into attempts (id, workspace_id, project_id, work_item_id, branch, run_status, merged_at, created_by_user_id, created_at, updated_at, number)
     select id, workspace_id, project_id, id, 'errand/' || number, 'completed', null, (select id from users order by id limit 1), number, number, 1
     from work_items where project_id = '${project_id}' and number > ${count - 4 * WAITING} and number % 4 = 2`,
    `insert into attempts (id, workspace_id, project_id, work_item_id, branch, run_status, merged_at, created_by_user_id, created_at, updated_at, number)
     select id, workspace_id, project_id, id, 'errand/' || number, 'completed', number, (select id from users order by id limit 1), number, number, 1
     from work_items where project_id = '${project_id}' and number <= ${some} and number % 4 = 3`,
    `insert into audit_events (seq, at, workspace_id, actor_kind, user_id, action, outcome, entity, correlation_id, prev_hash, hash)
     ${numbers(some)} select h.seq + n.i, ${now}, p.workspace_id, 'user', p.id, 'update_task', 'ok', 'work_item', 'c' || n.i, h.hash, h.hash
     from n cross join ${person} p cross join (select seq, hash from audit_head) h`,
    `update audit_head set seq = seq + ${some}`,
    `insert into events (seq, at, body)
     ${numbers(events)} select h.seq + n.i, ${now}, '{"workspace_id":"' || p.workspace_id || '","kind":"work_item.updated","entity_id":"${idOf(1)}","execution_id":null,"audience":${audience},"actor":null,"data":null}'
     from n cross join ${person} p cross join (select seq from event_head) h`,
    `update event_head set seq = seq + ${events}`,
  ];
}

/** Lists the frequent words of each segment, as the program's upkeep would. */
async function listWords(store: Store): Promise<void> {
  for (;;) {
    const words = await store.reads.upkeep.unlisted();
    if (words === null) break;
    await store.transaction((tx) => tx.upkeep.list(words));
  }
  await store.close();
}

const ids = <Id extends string>(): Id => randomUUID() as Id;

/** Fills a project, with everything that is kept about its tasks. No server may run meanwhile: its upkeep would begin. */
export async function seedCrowd({ data, database_url }: Place, crowd: Crowd): Promise<void> {
  const texts = (dialect: Dialect) => [...tasks(dialect, crowd), ...kept(dialect), ...beside(crowd, Date.now())];
  if (database_url === undefined) {
    const file = new DatabaseSync(join(data, 'errand.db'), { timeout: 60_000 });
    file.exec('pragma foreign_keys = on; pragma cache_size = -200000; begin');
    for (const text of texts('sqlite')) file.exec(text);
    file.exec('commit');
    file.close();
    return listWords(await openSqliteStore({ path: join(data, 'errand.db'), clock: Date.now, ids }));
  }
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  await client.query("set maintenance_work_mem = '1GB'");
  for (const text of [...texts('postgres'), 'vacuum analyze']) await client.query(text);
  await client.end();
  return listWords(await openPostgresStore({ url: database_url, ids }));
}
