import type { IdempotencyRecord } from '#domain/idempotency';
import { ErrandError } from '#errors';
import { atMost } from '#store/sql/page';
import type { WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Transaction } from '#store/store';

const find = statement<{ readonly principal_id: string; readonly key: string; readonly now: number }>()(
  (tables, place) =>
    tables
      .selectFrom('idempotency')
      .selectAll()
      .where('principal_id', '=', place('principal_id'))
      .where('key', '=', place('key'))
      .where('expires_at', '>', place('now')),
);

const put = statement<IdempotencyRecord & { readonly now: number }>()((tables, place) =>
  tables
    .insertInto('idempotency')
    .values({
      principal_id: place('principal_id'),
      key: place('key'),
      tool: place('tool'),
      args_hash: place('args_hash'),
      result: place('result'),
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
          created_at: row.ref('excluded.created_at'),
          expires_at: row.ref('excluded.expires_at'),
        }))
        .where('idempotency.expires_at', '<=', place('now')),
    ),
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

export const idempotencyWrites = (session: WriteSession): Transaction['idempotency'] => ({
  find: (principal_id, key) => session.get(find, { principal_id, key, now: session.now }),
  put: (record) => session.write(put, { ...record, now: session.now }, replaced),
  sweep: (now, limit) => session.run(sweep, { now, limit }),
});
