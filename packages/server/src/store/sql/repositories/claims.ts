import type { Claim } from '#domain/claim';
import type { WorkItemId, WorkspaceId } from '#domain/ids';
import { type Clocked, clocked } from '#store/sql/clocked';
import { LIMIT } from '#store/sql/page';
import { named, replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

type ClaimReads = Pick<Reads['board'], 'claim' | 'expiredClaims'>;

const COLUMNS = [
  'work_item_id',
  'epoch',
  'principal_id',
  'user_id',
  'agent_id',
  'claimed_at',
  'lease_until',
] as const satisfies readonly (keyof Claim)[];

const SELECT = `select ${named(COLUMNS)} from claims`;

const find = statement<{ readonly workspace_id: WorkspaceId; readonly item: WorkItemId }, Claim>(`
  ${SELECT} where work_item_id = (select id from work_items where id = :item and workspace_id = :workspace_id)`);

const expired = clocked<{ readonly limit: number }, Claim>(
  (now) => `${SELECT} where principal_id is not null and lease_until <= ${now} order by lease_until ${LIMIT}`,
);

const put = replacement('claims', { key: ['work_item_id'], columns: COLUMNS });

const claimsOf = (session: Session, clock: () => number, when: keyof Clocked<object, never>): ClaimReads => ({
  claim: (workspace_id, item) => session.get(find, { workspace_id, item }),
  expiredClaims: (limit) => session.all(expired[when], { now: clock(), limit }),
});

export const claimReads = (session: Session, clock: () => number): ClaimReads => claimsOf(session, clock, 'current');

export const claimWrites = (session: WriteSession): ClaimReads & Pick<Transaction['board'], 'putClaim'> => ({
  ...claimsOf(session, () => session.now, 'at'),
  putClaim: (claim) => session.write(put, claim),
});
