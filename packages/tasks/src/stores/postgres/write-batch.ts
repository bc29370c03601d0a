import type { Inserted, Replaced } from '#store';
import { fromRow, isClaimable, type TaskRow } from '#stores/row';
import type { Work } from '#stores/turn';
import type { Link } from './connection.ts';
import { writeFunction } from './schema.ts';

export type PostgresWork = Work & { readonly row: TaskRow } & (
    | { readonly kind: 'insert'; readonly quota: number; readonly resolve: (inserted: Inserted) => void }
    | { readonly kind: 'replace'; readonly quiet: boolean; readonly resolve: (replaced: Replaced) => void }
  );

/** The function's answer for a write that did not succeed. */
type Refusal =
  | { readonly ord: number; readonly outcome: 'exists' | 'quota_exceeded' }
  | ({ readonly ord: number; readonly outcome: 'lost' } & (TaskRow | { readonly task_id: null }));

export interface WriteBatchOptions {
  readonly link: Link;
  readonly schema: string;
  /** The name of this process in notifications, so that it can ignore its own. */
  readonly sender: string;
  readonly now: () => number;
}

const signalOf = (work: PostgresWork): string | null =>
  work.kind === 'replace' && work.quiet ? null : `${isClaimable(work.row) ? '+' : '-'}${work.row.task_id}`;

function settle(work: PostgresWork, refusal: Refusal | undefined): void {
  if (work.kind === 'insert') {
    const outcome = refusal?.outcome;
    work.resolve(outcome === 'exists' || outcome === 'quota_exceeded' ? outcome : 'inserted');
  } else if (refusal === undefined) {
    work.resolve({ ok: true });
  } else {
    const current = refusal.outcome === 'lost' && refusal.task_id !== null ? fromRow(refusal) : null;
    work.resolve({ ok: false, current });
  }
}

/** Sends all writes of one turn of the event loop in one function call: one round trip, one commit. */
export function createWriteBatch({ link, schema, sender, now }: WriteBatchOptions) {
  const text = `select * from ${writeFunction(schema)}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`;

  return async (works: readonly PostgresWork[]): Promise<void> => {
    const column = (name: keyof TaskRow) => works.map(({ row }) => row[name]);
    const refusals = await link.ask<Refusal>({
      name: 'errand_tasks_write',
      text,
      values: [
        schema,
        sender,
        now(),
        works.map((work) => (work.kind === 'insert' ? work.quota : null)),
        works.map(signalOf),
        column('task_id'),
        column('owner_id'),
        column('tool'),
        column('live'),
        column('version'),
        column('epoch'),
        column('worker_id'),
        column('lease_until'),
        column('created_at'),
        column('expires_at'),
        column('body'),
      ],
    });
    const by_place = new Map(refusals.map((refusal) => [refusal.ord, refusal]));
    for (const [i, work] of works.entries()) settle(work, by_place.get(i + 1));
  };
}
