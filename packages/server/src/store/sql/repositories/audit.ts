import { atMost } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads } from '#store/store';

const page = statement<{ readonly after: number; readonly limit: number }>()((tables, place) =>
  tables
    .selectFrom('audit_events')
    .selectAll()
    .where('seq', '>', place('after'))
    .orderBy('seq')
    .limit(atMost(place('limit'))),
);

const head = statement<object>()((tables) => tables.selectFrom('audit_head').select(['seq', 'hash']));

export async function readHead(session: Session): Promise<{ readonly seq: number; readonly hash: string }> {
  const row = await session.get(head, {});
  if (row === null) throw new Error('The head of the audit chain is missing: the database was tampered with.');
  return row;
}

export const auditReads = (session: Session): Reads['audit'] => ({
  page: (after, limit) => session.all(page, { after, limit }),
  head: () => readHead(session),
});
