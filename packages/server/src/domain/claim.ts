import type { AgentId, UserId, WorkItemId } from './ids.ts';

/** A claim: one caller works on a task until the lease ends. */
export interface Claim {
  readonly work_item_id: WorkItemId;
  /** Raised with every claim. A caller that lost its claim gets an error instead of overwriting another's work. */
  readonly epoch: number;
  /** The principal that holds the claim; null once it was released. */
  readonly principal_id: string | null;
  readonly user_id: UserId | null;
  readonly agent_id: AgentId | null;
  readonly claimed_at: number;
  readonly lease_until: number;
}

/** A claim that goes on, with its task. */
export interface HeldClaim extends Pick<Claim, 'work_item_id' | 'claimed_at' | 'lease_until'> {
  readonly title: string;
  readonly project_key: string | null;
  readonly task_number: number | null;
}

export const isHeld = ({ principal_id, lease_until }: Claim, now: number): boolean =>
  principal_id !== null && lease_until > now;
