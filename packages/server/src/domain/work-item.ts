import { z } from 'zod';
import type { ProjectId, StateId, UserId, WorkItemId, WorkspaceId } from './ids.ts';

export const Priority = z.enum(['none', 'low', 'medium', 'high', 'urgent']);
export type Priority = z.infer<typeof Priority>;

/** A todo, a task of the board, an issue: one thing under three names. */
export interface WorkItem {
  readonly id: WorkItemId;
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  /** The user whose todo list it is on; null for an item of a team's project. */
  readonly owner_id: UserId | null;
  readonly state_id: StateId;
  readonly title: string;
  readonly description: string | null;
  readonly priority: Priority;
  readonly sort_order: number;
  readonly parent_id: WorkItemId | null;
  readonly start_date: string | null;
  readonly target_date: string | null;
  /** Set exactly while the state is of the group `completed`. */
  readonly completed_at: number | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A work item as lists show it. */
export type TodoRow = Pick<WorkItem, 'id' | 'title' | 'description'> & { readonly completed: boolean };
