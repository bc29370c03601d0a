export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type TaskRevision = (typeof REVISIONS)[number];

/** A call that was made as an MCP task. */
export interface FollowedTask {
  readonly task_id: string;
  readonly revision: TaskRevision;
  readonly key: string;
  /** Whether someone has tried to cancel it. */
  isCancelled: boolean;
}

/** What the players were told: what must be there at the end. */
export interface Ledger {
  /** Follow-ups that were said to wait, by their keys. */
  readonly waiting: Map<string, string>;
  /** Runs that were said to begin. */
  readonly begun: Map<string, string>;
  readonly tasks: FollowedTask[];
  /** Answers that should never have come. */
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
