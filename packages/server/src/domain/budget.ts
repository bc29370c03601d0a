import type { WorkspaceId } from './ids.ts';

/** What something used. */
export interface Spent {
  readonly cost_usd: number;
  readonly tokens: number;
  readonly minutes: number;
}

/** What a subject used on one day, as it is stored. */
export interface Spending {
  readonly workspace_id: WorkspaceId;
  readonly kind: 'run' | 'task' | 'project' | 'agent';
  readonly subject_id: string;
  /** YYYY-MM-DD in UTC, by the store's clock. */
  readonly day: string;
  readonly cost_micro_usd: number;
  readonly tokens: number;
  readonly seconds: number;
}
