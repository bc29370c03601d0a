import type { AgentId, TokenId, UserId, WorkspaceId } from './ids.ts';

/** An audit entry before it is linked into the chain. */
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
  /** SHA-256 of the changed thing before and after; null when it did not exist, or cannot be compared. */
  readonly before_digest: string | null;
  readonly after_digest: string | null;
  /** The instruction of a person that the caller acted on, as the caller named it. */
  readonly instruction_ref: string | null;
  /** The error code of a refusal; null for successful calls, and for refusals from before the code was kept. */
  readonly reason: string | null;
  /** How many equal refusals the entry counts; null for an entry of one call. */
  readonly repeats: number | null;
}

/** An entry of the audit trail. `hash` covers the entry and the previous hash, so a changed entry breaks the chain from there on. */
export interface AuditEvent extends AuditDraft {
  readonly seq: number;
  readonly at: number;
  readonly prev_hash: string;
  readonly hash: string;
}

/** The user who reads the trail: the names of some things are for their owners alone. */
export interface AuditReader {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
}

/** The present name of the thing that an entry is about. */
export interface NamedEntity {
  readonly id: string;
  /** A name, or the key of a task or an attempt. */
  readonly name: string;
  /** The title of the task; null for what belongs to none. */
  readonly title: string | null;
  /** The key of its project; null for what belongs to none. */
  readonly project: string | null;
  /** The first words of a question, message or comment; null for all else. */
  readonly words: string | null;
  /** What was answered to a question. */
  readonly answer: string | null;
}

export const GENESIS_HASH = '0'.repeat(64);

/** The text that is hashed. The order of its fields never changes: another order would break every existing chain. */
export function auditText(event: Omit<AuditEvent, 'hash'>): string {
  const { before_digest, after_digest, instruction_ref, reason, repeats } = event;
  const fields: unknown[] = [
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
  // The following are left out when they are null: entries from before they existed must still verify.
  const isRefusal = reason !== null || repeats !== null;
  const hasChanges = before_digest !== null || after_digest !== null || instruction_ref !== null;
  if (isRefusal || hasChanges) fields.push(before_digest, after_digest, instruction_ref);
  if (isRefusal) fields.push(reason, repeats);
  return JSON.stringify(fields);
}

/** Which entries a list shows. */
export interface AuditFilter {
  readonly agent_id?: AgentId | undefined;
  readonly user_id?: UserId | undefined;
  readonly action?: string | undefined;
  readonly entity_id?: string | undefined;
  readonly outcome?: AuditEvent['outcome'] | undefined;
}
