import type { AgentId, TokenId, UserId, WorkspaceId } from './ids.ts';

/** What someone did, before it has its place in the chain. */
export interface AuditDraft {
  readonly workspace_id: WorkspaceId;
  readonly actor_kind: string;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly token_id: TokenId | null;
  readonly action: string;
  readonly outcome: 'ok' | 'denied';
  readonly entity: string | null;
  readonly entity_id: string | null;
  readonly idempotency_key: string | null;
  readonly correlation_id: string;
  /** SHA-256 of what was changed, as it was before and after; null when there was nothing, or nothing to compare. */
  readonly before_digest: string | null;
  readonly after_digest: string | null;
  /** The instruction of a person that it was done for, as the caller named it. */
  readonly instruction_ref: string | null;
  /** Why it was refused, as the code of the error; null for what was done, and for refusals from before it was kept. */
  readonly reason: string | null;
  /** How many refusals like the one before the entry stands for; null for an entry of one call. */
  readonly repeats: number | null;
}

/** An entry of the trail. `hash` covers the entry and the hash before it: a change anywhere shows from there on. */
export interface AuditEvent extends AuditDraft {
  readonly seq: number;
  readonly at: number;
  readonly prev_hash: string;
  readonly hash: string;
}

export const GENESIS_HASH = '0'.repeat(64);

const common = (event: Omit<AuditEvent, 'hash'>): readonly unknown[] => [
  event.prev_hash,
  event.seq,
  event.at,
  event.workspace_id,
  event.actor_kind,
  event.user_id,
  event.agent_id,
  event.token_id,
  event.action,
  event.outcome,
  event.entity,
  event.entity_id,
  event.idempotency_key,
  event.correlation_id,
];

/** The text that is hashed. Its field order is fixed for good: another order would break every chain in the world. */
export const auditText = (event: Omit<AuditEvent, 'hash'>): string =>
  JSON.stringify([...common(event), ...additional(event)]);

/** Left out when there is nothing of it: entries from before these fields were kept must go on to verify. */
function additional(event: Omit<AuditEvent, 'hash'>): readonly unknown[] {
  const changes = [event.before_digest, event.after_digest, event.instruction_ref];
  const refusal = [event.reason, event.repeats];
  if (refusal.some((field) => field !== null)) return [...changes, ...refusal];
  return changes.every((field) => field === null) ? [] : changes;
}
