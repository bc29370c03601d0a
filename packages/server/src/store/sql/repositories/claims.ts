import type { Claim, HeldClaim } from '#domain/claim';
import type { AgentId, WorkItemId, WorkspaceId } from '#domain/ids';
import { type Clocked, clocked } from '#store/sql/clocked';
import { LIMIT } from '#store/sql/page';
import { named, replacement } from '#store/sql/row-writes';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

type ClaimReads = Pick<Reads['board'], 'claim' | 'claimOfAgent' | 'expiredClaims'>;

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

interface OfAgent {
  readonly workspace_id: WorkspaceId;
  readonly agent_id: AgentId;
}

// Found among the claims that are held now: as many as there are agents and people at work.
const ofAgent = clocked<OfAgent, HeldClaim>(
  (now) => `
    select claims.work_item_id, claims.claimed_at, claims.lease_until, work_items.title,
      projects.key as project_key, work_items.number as task_number
    from claims join work_items on work_items.id = claims.work_item_id
      left join projects on projects.id = work_items.project_id
    where claims.principal_id is not null and claims.lease_until > ${now} and claims.agent_id = :agent_id
      and work_items.workspace_id = :workspace_id
    order by claims.claimed_at desc, claims.work_item_id limit 1`,
);

const put = replacement('claims', { key: ['work_item_id'], columns: COLUMNS });

const claimsOf = (session: Session, clock: () => number, when: keyof Clocked<object, never>): ClaimReads => ({
  claim: (workspace_id, item) => session.get(find, { workspace_id, item }),
  claimOfAgent: (workspace_id, agent_id) => session.get(ofAgent[when], { workspace_id, agent_id, now: clock() }),
  expiredClaims: (limit) => session.all(expired[when], { now: clock(), limit }),
});

export const claimReads = (session: Session, clock: () => number): ClaimReads => claimsOf(session, clock, 'current');

export const claimWrites = (session: WriteSession): ClaimReads & Pick<Transaction['board'], 'putClaim'> => ({
  ...claimsOf(session, () => session.now, 'at'),
  putClaim: (claim) => session.write(put, claim),
});
