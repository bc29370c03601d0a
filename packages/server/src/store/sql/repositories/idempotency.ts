import type { IdempotencyRecord, KeyName } from '#domain/idempotency';
import { clocked } from '#store/sql/clocked';
import { KeyInUse } from '#store/sql/database-error';
import type { Words } from '#store/sql/dialect';
import { LIMIT } from '#store/sql/page';
import { named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Batch, rowsOf, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const CHANGING = ['args_hash', 'result', 'project_id', 'created_at', 'expires_at'] as const;

const COLUMNS = ['key', ...CHANGING] as const;

const PRINCIPAL = '(select id from principals where name = :principal_id)';

const ONE = `principal = ${PRINCIPAL} and key = :key`;

// Servers of the release before write the second table. They keep what they find in neither from running twice.
const find = clocked<KeyName, IdempotencyRecord>(
  (now, { digestText, text }) => `
    select ${text('principal_id')} as principal_id, key, ${digestText('args_hash')} as args_hash, result, project_id,
      created_at, expires_at
    from answers where ${ONE} and expires_at > ${now}
    union all
    select principal_id, key, args_hash, result, project_id, created_at, expires_at
    from idempotency where principal_id = :principal_id and key = :key and expires_at > ${now}`,
);

/** The records of these keys, expired ones too. */
// A lookup for each key: until the table has statistics, the planner would read all of it for a join. Both tables, as above.
export const findSome = statement<{ readonly keys: string }, IdempotencyRecord>(
  ({ digestText }) => `
    select asked.principal_id, asked.key, found.args_hash, found.result, found.project_id, found.created_at, found.expires_at
    from json_to_recordset(:keys::json) as asked (principal_id text, key text)
    cross join lateral (
      select ${digestText('args_hash')} as args_hash, result, project_id, created_at, expires_at from answers
      where principal = (select id from principals where name = asked.principal_id) and answers.key = asked.key
      union all
      select args_hash, result, project_id, created_at, expires_at from idempotency
      where idempotency.principal_id = asked.principal_id and idempotency.key = asked.key) as found
    order by found.expires_at`,
  'postgres',
);

/** The key under which a record that was read ahead is taken. */
export const recordName = ({ principal_id, key }: KeyName): string => `key ${principal_id}\n${key}`;

type PutRow = IdempotencyRecord & { readonly now: number };

const REPLACE = `
  on conflict (principal, key) do update set ${CHANGING.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const TYPES = {
  principal_id: 'text',
  key: 'text',
  args_hash: 'text',
  result: 'text',
  project_id: 'text',
  created_at: 'bigint',
  expires_at: 'bigint',
  now: 'bigint',
};

// SQLite sweeps in the order of these rows: one that is given anew and stayed in its place would keep all behind it.
const TO_THE_END = 'rowid = (select max(rowid) + 1 from answers)';

// Half of the fingerprint: 128 bits tell the calls of one key apart.
const HALF = 32;

const bound = (name: (typeof COLUMNS)[number], { digest }: Words): string =>
  name === 'args_hash' ? digest(name) : `:${name}`;

const cast = (name: (typeof COLUMNS)[number], words: Words): string => {
  if (name === 'args_hash') return words.digest(name);
  return TYPES[name] === 'bigint' ? words.bigint(name) : words.text(name);
};

// A commit may have been sent behind the statement, so PostgreSQL itself has to refuse: one divided by zero ends the group.
const unless = (isWritten: string): string => `select 1 / (${isWritten})::int from written`;

const put: Batch<PutRow> = {
  alone: [
    statement('insert into principals (name) values (:principal_id) on conflict (name) do nothing', 'sqlite'),
    statement(
      (words) => `
        insert into answers (principal, ${named(COLUMNS)})
        values (${PRINCIPAL}, ${COLUMNS.map((name) => bound(name, words)).join(', ')})
        ${REPLACE}, ${TO_THE_END} where answers.expires_at <= :now`,
      'sqlite',
    ),
  ],
  // A principal that another writer adds at this moment is not found, here and below: the call is run again.
  single: statement(
    (words) => `with added as (
      insert into principals (name)
      select :principal_id where not exists (select 1 from principals where name = :principal_id)
      on conflict (name) do nothing returning id),
    known as (select id from added union all select id from principals where name = :principal_id),
    written as (insert into answers (principal, ${named(COLUMNS)})
    select known.id, ${COLUMNS.map((name) => cast(name, words)).join(', ')} from known
    ${REPLACE} where answers.expires_at <= :now returning 1)
    ${unless('count(*) = 1')}`,
    'postgres',
  ),
  many: statement(
    `with given as (select * from ${rowsOf(TYPES)}),
    added as (
      insert into principals (name) select distinct principal_id from given on conflict (name) do nothing
      returning id, name),
    known as (
      select id, name from added
      union all select id, name from principals where name in (select principal_id from given)),
    written as (insert into answers (principal, ${named(COLUMNS)})
    select known.id, ${COLUMNS.map((name) => (name === 'args_hash' ? "decode(args_hash, 'hex')" : name)).join(', ')}
    from given join known on known.name = given.principal_id order by place
    ${REPLACE} where answers.expires_at <= (select min(now) from given) returning 1)
    ${unless('count(*) = (select count(*) from given)')}`,
    'postgres',
  ),
  check: (changes, rows) => {
    if (changes !== rows) throw new KeyInUse();
  },
  order: ({ principal_id, key }) => `${principal_id}\n${key}`,
};

// `created_at`: after it expired, another call may run under the same key.
const RUNNING = 'created_at = :created_at and result is null';

const FORMS = [
  { table: 'answers', one: ONE },
  { table: 'idempotency', one: 'principal_id = :principal_id and key = :key' },
] as const;

const completions = FORMS.map(({ table, one }) =>
  statement<IdempotencyRecord, never>(`
    update ${table} set result = :result, project_id = :project_id, expires_at = :expires_at where ${one} and ${RUNNING}`),
);

const releases = FORMS.map(({ table, one }) =>
  statement<KeyName & Pick<IdempotencyRecord, 'created_at'>, never>(`delete from ${table} where ${one} and ${RUNNING}`),
);

interface Expired {
  readonly now: number;
  readonly limit: number;
}

// On SQLite without an index, which each call would have to write: answers expire in the order in which they were given,
// but for those of calls that went on and were given up.
const sweeps = [
  statement<Expired, never>(({ dialect }) =>
    dialect === 'sqlite'
      ? `delete from answers where expires_at <= :now and rowid in (select rowid from answers order by rowid ${LIMIT})`
      : `delete from answers where (principal, key) in (
          select principal, key from answers where expires_at <= :now ${LIMIT})`,
  ),
  statement<Expired, never>(`
    delete from idempotency where (principal_id, key) in (
      select principal_id, key from idempotency where expires_at <= :now ${LIMIT})`),
];

async function sweep(session: WriteSession, now: number, limit: number): Promise<number> {
  let left = limit;
  for (const one of sweeps) if (left > 0) left -= await session.run(one, { now, limit: left });
  return limit - left;
}

export const idempotencyReads = (session: Session, clock: () => number): Reads['idempotency'] => ({
  find: (principal_id, key) => session.get(find.current, { principal_id, key, now: clock() }),
});

export const idempotencyWrites = (session: WriteSession): Transaction['idempotency'] => ({
  find: async (principal_id, key) => {
    const { now } = session;
    const known = session.take<IdempotencyRecord | null>(recordName({ principal_id, key }));
    if (known === undefined) return session.get(find.at, { principal_id, key, now });
    return known !== null && known.expires_at > now ? known : null;
  },
  put: (record) => session.gather(put, { ...record, args_hash: record.args_hash.slice(0, HALF), now: session.now }),
  complete: async (record) => {
    for (const one of completions) await session.write(one, record);
  },
  release: async ({ principal_id, key, created_at }) => {
    for (const one of releases) await session.write(one, { principal_id, key, created_at });
  },
  sweep: (now, limit) => sweep(session, now, limit),
});
