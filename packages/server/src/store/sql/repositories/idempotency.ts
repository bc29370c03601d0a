import type { IdempotencyRecord } from '#domain/idempotency';
import { ErrandError } from '#errors';
import { atMost } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

interface OneRecord {
  readonly principal_id: string;
  readonly key: string;
}

const find = (now: string): string =>
  `select * from idempotency where principal_id = :principal_id and "key" = :key and expires_at > ${now}`;

const findAt = plainStatement<OneRecord & { readonly now: number }, IdempotencyRecord>(find(':now'));

// Outside of a transaction nobody has asked a server for its time yet.
const findNow = plainStatement<OneRecord & { readonly now: number }, IdempotencyRecord>({
  sqlite: find(':now'),
  postgres: find('(extract(epoch from clock_timestamp()) * 1000)::bigint'),
});

const put = statement<IdempotencyRecord & { readonly now: number }>()((tables, place) =>
  tables
    .insertInto('idempotency')
    .values({
      principal_id: place('principal_id'),
      key: place('key'),
      tool: place('tool'),
      args_hash: place('args_hash'),
      result: place('result'),
      project_id: place('project_id'),
      created_at: place('created_at'),
      expires_at: place('expires_at'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['principal_id', 'key'])
        .doUpdateSet((row) => ({
          tool: row.ref('excluded.tool'),
          args_hash: row.ref('excluded.args_hash'),
          result: row.ref('excluded.result'),
          project_id: row.ref('excluded.project_id'),
          created_at: row.ref('excluded.created_at'),
          expires_at: row.ref('excluded.expires_at'),
        }))
        .where('idempotency.expires_at', '<=', place('now')),
    ),
);

// `created_at`: after it expired, another call may run under the same key.
const complete = statement<IdempotencyRecord>()((tables, place) =>
  tables
    .updateTable('idempotency')
    .set({ result: place('result'), project_id: place('project_id'), expires_at: place('expires_at') })
    .where('principal_id', '=', place('principal_id'))
    .where('key', '=', place('key'))
    .where('created_at', '=', place('created_at'))
    .where('result', 'is', null),
);

const release = statement<OneRecord & Pick<IdempotencyRecord, 'created_at'>>()((tables, place) =>
  tables
    .deleteFrom('idempotency')
    .where('principal_id', '=', place('principal_id'))
    .where('key', '=', place('key'))
    .where('created_at', '=', place('created_at'))
    .where('result', 'is', null),
);

const sweep = statement<{ readonly now: number; readonly limit: number }>()((tables, place) =>
  tables.deleteFrom('idempotency').where(({ eb, refTuple, selectFrom }) =>
    eb(
      refTuple('principal_id', 'key'),
      'in',
      selectFrom('idempotency as expired')
        .select(['expired.principal_id', 'expired.key'])
        .where('expired.expires_at', '<=', place('now'))
        .limit(atMost(place('limit')))
        .$asTuple('principal_id', 'key'),
    ),
  ),
);

function replaced(changes: number): void {
  if (changes === 0) throw new ErrandError('conflict', 'This idempotency key is in use. Use a new key for a new call.');
}

export const idempotencyReads = (session: Session, clock: () => number): Reads['idempotency'] => ({
  find: (principal_id, key) => session.get(findNow, { principal_id, key, now: clock() }),
});

export const idempotencyWrites = (session: WriteSession): Transaction['idempotency'] => ({
  find: (principal_id, key) => session.get(findAt, { principal_id, key, now: session.now }),
  put: (record) => session.write(put, { ...record, now: session.now }, replaced),
  complete: (record) => session.write(complete, record),
  release: ({ principal_id, key, created_at }) => session.write(release, { principal_id, key, created_at }),
  sweep: (now, limit) => session.run(sweep, { now, limit }),
});
