import type { UserId, WorkItemId } from './ids.ts';

/** A person who looks at a task. */
export interface Presence {
  readonly work_item_id: WorkItemId;
  readonly user_id: UserId;
  /** Whether they are writing. */
  readonly editing: boolean;
  readonly since: number;
  readonly seen_at: number;
}

export type PresentPerson = Omit<Presence, 'work_item_id' | 'seen_at'> & { readonly name: string };

/** A person whose page has not reported for this long is gone. A page reports every 30 seconds. */
export const PRESENCE_MS = 45_000;
/** The people that a task shows. */
export const MAX_PRESENT = 20;
