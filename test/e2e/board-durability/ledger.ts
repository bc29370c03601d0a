export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type TaskRevision = (typeof REVISIONS)[number];

/** A call that was made as an MCP task. */
export interface FollowedTask {
  readonly task_id: string;
  readonly revision: TaskRevision;
  readonly key: string;
  /** True when a player has tried to cancel the task. */
  isCancelled: boolean;
}

/** The answers that the players got: what must exist at the end. */
export interface Ledger {
  /** Follow-ups that were answered as waiting, by key. */
  readonly waiting: Map<string, string>;
  /** Runs that were answered as started. */
  readonly begun: Map<string, string>;
  readonly tasks: FollowedTask[];
  /** Answers that are never allowed. */
  readonly faults: string[];
  answered: number;
}

export const createLedger = (): Ledger => ({
  waiting: new Map(),
  begun: new Map(),
  tasks: [],
  faults: [],
  answered: 0,
});
