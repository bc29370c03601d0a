import type { IdempotencyRecord } from '#domain/idempotency';
import { clocked } from '#store/sql/clocked';
import { KeyInUse } from '#store/sql/database-error';
import { LIMIT } from '#store/sql/page';
import { named } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { type Batch, rowsOf, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

interface OneRecord {
  readonly principal_id: string;
  readonly key: string;
}

const CHANGING = ['tool', 'args_hash', 'result', 'project_id', 'created_at', 'expires_at'] as const;

const COLUMNS = ['principal_id', 'key', ...CHANGING] as const satisfies readonly (keyof IdempotencyRecord)[];

const ONE = 'principal_id = :principal_id and key = :key';

const find = clocked<OneRecord, IdempotencyRecord>(
  (now) => `select ${named(COLUMNS)} from idempotency where ${ONE} and expires_at > ${now}`,
);

type PutRow = IdempotencyRecord & { readonly now: number };

const REPLACE = `
  on conflict (principal_id, key) do update set ${CHANGING.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const TYPES = {
  principal_id: 'text',
  key: 'text',
  tool: 'text',
  args_hash: 'text',
  result: 'text',
  project_id: 'text',
  created_at: 'bigint',
  expires_at: 'bigint',
  now: 'bigint',
};

const put: Batch<PutRow> = {
  alone: [
    statement(`
      insert into idempotency (${named(COLUMNS)}) values (${COLUMNS.map((name) => `:${name}`).join(', ')})
      ${REPLACE} where idempotency.expires_at <= :now`),
  ],
  many: statement(
    `with given as (select * from ${rowsOf(TYPES)})
    insert into idempotency (${named(COLUMNS)}) select ${named(COLUMNS)} from given order by place
    ${REPLACE} where idempotency.expires_at <= (select min(now) from given)`,
    'postgres',
  ),
  check: (changes, rows) => {
    if (changes !== rows) throw new KeyInUse();
  },
  order: ({ principal_id, key }) => `${principal_id}\n${key}`,
};

// `created_at`: after it expired, another call may run under the same key.
const RUNNING = `${ONE} and created_at = :created_at and result is null`;

const complete = statement<IdempotencyRecord, never>(`
  update idempotency set result = :result, project_id = :project_id, expires_at = :expires_at where ${RUNNING}`);

const release = statement<OneRecord & Pick<IdempotencyRecord, 'created_at'>, never>(
  `delete from idempotency where ${RUNNING}`,
);

const sweep = statement<{ readonly now: number; readonly limit: number }, never>(`
  delete from idempotency where (principal_id, key) in (
    select principal_id, key from idempotency where expires_at <= :now ${LIMIT})`);

export const idempotencyReads = (session: Session, clock: () => number): Reads['idempotency'] => ({
  find: (principal_id, key) => session.get(find.current, { principal_id, key, now: clock() }),
});

export const idempotencyWrites = (session: WriteSession): Transaction['idempotency'] => ({
  find: (principal_id, key) => session.get(find.at, { principal_id, key, now: session.now }),
  put: (record) => session.gather(put, { ...record, now: session.now }),
  complete: (record) => session.write(complete, record),
  release: ({ principal_id, key, created_at }) => session.write(release, { principal_id, key, created_at }),
  sweep: (now, limit) => session.run(sweep, { now, limit }),
});
