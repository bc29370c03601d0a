import type { AgentId, UserId, WorkItemId } from './ids.ts';

/** That someone works on an item, for as long as the lease lasts. */
export interface Claim {
  readonly work_item_id: WorkItemId;
  /** Raised with every claim: whoever lost theirs is told so instead of undoing another's work. */
  readonly epoch: number;
  /** Who has it, as idempotency keys know them; null once it was given back. */
  readonly principal_id: string | null;
  readonly user_id: UserId | null;
  readonly agent_id: AgentId | null;
  readonly claimed_at: number;
  readonly lease_until: number;
}

export const isHeld = ({ principal_id, lease_until }: Claim, now: number): boolean =>
  principal_id !== null && lease_until > now;
