import { z } from 'zod';
import type { ProjectId, RepoId, StateId, UserId, WorkspaceId } from './ids.ts';

export const StateGroup = z.enum(['backlog', 'unstarted', 'started', 'completed', 'cancelled']);
export type StateGroup = z.infer<typeof StateGroup>;

export interface Project {
  readonly id: ProjectId;
  readonly workspace_id: WorkspaceId;
  readonly kind: 'team' | 'personal';
  /** Whose todo list it is; null for a team's project. */
  readonly owner_id: UserId | null;
  readonly name: string;
  readonly card_guide: string | null;
  readonly created_at: number;
}

export interface State {
  readonly id: StateId;
  readonly project_id: ProjectId;
  readonly slug: string;
  readonly name: string;
  readonly state_group: StateGroup;
  readonly position: number;
}

export interface Repo {
  readonly id: RepoId;
  readonly project_id: ProjectId;
  readonly name: string;
  readonly path: string;
  readonly target_branch: string;
  readonly created_at: number;
}

/** The columns that every project starts with. */
export const DEFAULT_STATES: readonly Pick<State, 'slug' | 'name' | 'state_group'>[] = [
  { slug: 'todo', name: 'Todo', state_group: 'unstarted' },
  { slug: 'inprogress', name: 'In progress', state_group: 'started' },
  { slug: 'inreview', name: 'In review', state_group: 'started' },
  { slug: 'done', name: 'Done', state_group: 'completed' },
  { slug: 'cancelled', name: 'Cancelled', state_group: 'cancelled' },
];

/** A user's todo list: their personal project, and the two states that pending and completed stand for. */
export interface TodoList {
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly pending_state_id: StateId;
  readonly completed_state_id: StateId;
}
