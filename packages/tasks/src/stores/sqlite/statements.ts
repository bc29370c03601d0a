import type { DatabaseSync } from 'node:sqlite';
import type { TaskRow } from '#stores/row';

export const SCHEMA = `
  create table if not exists errand_tasks (
    task_id text not null unique,
    owner_id text not null,
    tool text not null,
    live integer not null,
    version integer not null,
    epoch integer not null,
    worker_id text,
    lease_until integer,
    created_at integer not null,
    expires_at integer,
    body text not null
  ) strict;
  create index if not exists errand_tasks_of_owner on errand_tasks (owner_id, created_at, task_id);
  create index if not exists errand_tasks_live on errand_tasks (owner_id, expires_at) where live = 1;
  create index if not exists errand_tasks_free on errand_tasks (tool, created_at, task_id)
    where live = 1 and lease_until is null;
  create index if not exists errand_tasks_leased on errand_tasks (tool, lease_until)
    where live = 1 and lease_until is not null;
  create index if not exists errand_tasks_expiry on errand_tasks (expires_at) where expires_at is not null;
  create table if not exists errand_tasks_clock (id integer primary key check (id = 1), now integer not null) strict;
  insert into errand_tasks_clock (id, now) values (1, 0) on conflict do nothing;
`;

const COLUMNS = 'task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body';
const UNEXPIRED = '(expires_at is null or expires_at > ?)';
// With a bare parameter as limit, SQLite would prepare the statement again for each new value.
const LIMIT = 'limit ? + 0';

type Values = readonly (string | number | null)[];

function toTaskRow(values: unknown): TaskRow {
  // The cast: the driver has no types for rows, but the table is strict, and all these queries select COLUMNS.
  const [task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body] =
    values as unknown as [
      string,
      string,
      string,
      0 | 1,
      number,
      number,
      string | null,
      number | null,
      number,
      number | null,
      string,
    ];
  return { task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body };
}

/** Creates all statements of the store, each prepared once. */
export function createStatements(db: DatabaseSync) {
  const prepare = (text: string) => {
    const statement = db.prepare(text);
    statement.setReturnArrays(true);
    return statement;
  };
  const rows = (text: string) => {
    const statement = prepare(text);
    return (...values: Values): readonly TaskRow[] => statement.all(...values).map(toTaskRow);
  };
  const row = (text: string) => {
    const statement = prepare(text);
    return (...values: Values): TaskRow | null => {
      const found = statement.get(...values);
      return found === undefined ? null : toTaskRow(found);
    };
  };
  const number = (text: string) => {
    const statement = prepare(text);
    return (...values: Values): number => {
      // The cast: all statements here return arrays.
      const [value] = (statement.get(...values) ?? []) as unknown as readonly unknown[];
      return Number(value ?? 0);
    };
  };
  const change = (text: string) => {
    const statement = prepare(text);
    return (...values: Values): number => Number(statement.run(...values).changes);
  };

  return {
    begin: change('begin immediate'),
    commit: change('commit'),
    rollback: change('rollback'),
    /** Changes only when another connection commits. */
    dataVersion: number('pragma data_version'),
    /** Moves the shared clock of the file forward. Returns its time. */
    tick: number('update errand_tasks_clock set now = max(now, ?) returning now'),
    clock: number('select now from errand_tasks_clock'),

    get: row(`select ${COLUMNS} from errand_tasks where task_id = ? and owner_id = ? and ${UNEXPIRED}`),
    isKnown: number('select 1 from errand_tasks where task_id = ?'),
    countLive: number(
      `select count(*) from (
         select 1 from errand_tasks indexed by errand_tasks_live
         where owner_id = ? and live = 1 and ${UNEXPIRED} ${LIMIT}
       )`,
    ),
    insert: change(
      `insert into errand_tasks (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    ),
    replace: change(
      `update errand_tasks set tool = ?, live = ?, version = ?, epoch = ?, worker_id = ?, lease_until = ?,
         created_at = ?, expires_at = ?, body = ?
       where task_id = ? and owner_id = ? and version = ? and ${UNEXPIRED}`,
    ),
    newest: rows(
      `select ${COLUMNS} from errand_tasks where owner_id = ? and ${UNEXPIRED}
       order by created_at desc, task_id desc ${LIMIT}`,
    ),
    newestAfter: rows(
      `select ${COLUMNS} from errand_tasks where owner_id = ? and ${UNEXPIRED} and (created_at, task_id) < (?, ?)
       order by created_at desc, task_id desc ${LIMIT}`,
    ),
    free: rows(
      `select ${COLUMNS} from errand_tasks where tool = ? and live = 1 and lease_until is null and ${UNEXPIRED}
       order by created_at, task_id ${LIMIT}`,
    ),
    lapsed: rows(
      `select ${COLUMNS} from errand_tasks where tool = ? and live = 1 and lease_until <= ? and ${UNEXPIRED}
       order by created_at, task_id ${LIMIT}`,
    ),
    take: change('update errand_tasks set version = ?, epoch = ?, worker_id = ?, lease_until = ? where task_id = ?'),
    hasEndedBeyond: number(
      `select 1 from errand_tasks where owner_id = ? and live = 0
       order by created_at desc, task_id desc limit 1 offset ? + 0`,
    ),
    trim: change(
      `delete from errand_tasks where rowid in (
         select rowid from errand_tasks where owner_id = ? and live = 0
         order by created_at desc, task_id desc limit -1 offset ? + 0
       )`,
    ),
    hasExpired: number('select 1 from errand_tasks where expires_at <= ? limit 1'),
    sweep: change(
      `delete from errand_tasks where rowid in (
         select rowid from errand_tasks where expires_at <= ? order by expires_at ${LIMIT}
       )`,
    ),
  };
}

export type Statements = ReturnType<typeof createStatements>;
