import { z } from 'zod';
import type { MergeMode } from './git-job.ts';
import type { LabelId, ProjectId, RepoId, StateId, UserId, WorkspaceId } from './ids.ts';
import type { UserRole, UserStatus } from './user.ts';

export const StateGroup = z.enum(['backlog', 'unstarted', 'started', 'completed', 'cancelled']);
export type StateGroup = z.infer<typeof StateGroup>;

export interface Project {
  readonly id: ProjectId;
  readonly workspace_id: WorkspaceId;
  readonly kind: 'team' | 'personal';
  /** The owner of a todo list; null for a team's project. */
  readonly owner_id: UserId | null;
  readonly name: string;
  /** The card guide: how agents write the cards of this project. */
  readonly card_guide: string | null;
  /** What must be done before an item can be completed. */
  readonly completion_gate: CompletionGate;
  /** For example WEB, which begins the short names of its tasks; null for the todo list of an app's user. */
  readonly key: string | null;
  /** Whether an agent may complete its tasks with green checks only. */
  readonly require_green: boolean;
  /** How many times an attempt with red checks is sent back to its agent. */
  readonly retry_red: number;
  /** How attempts are merged unless the call says otherwise. */
  readonly merge_mode: MergeMode;
  /** The template of merge messages; null for the usual one. */
  readonly merge_message: string | null;
  /** Whether the branch of a merged attempt is deleted. */
  readonly delete_branch: boolean;
  readonly created_at: number;
}

/** The settings of a new project. */
export const PROJECT_DEFAULTS = {
  completion_gate: 'none',
  require_green: false,
  retry_red: 0,
  merge_mode: 'merge',
  merge_message: null,
  delete_branch: false,
} as const satisfies Partial<Project>;

/** Where the members of projects are managed: in Errand, or in another system that Errand must not overrule. */
export const MembersManaged = z.enum(['here', 'external']);
export type MembersManaged = z.infer<typeof MembersManaged>;

export const CompletionGate = z.enum(['none', 'checkers']);
export type CompletionGate = z.infer<typeof CompletionGate>;

/** The lists that a project has. */
export const ProjectPart = z.enum(['states', 'labels', 'members']);
export type ProjectPart = z.infer<typeof ProjectPart>;

/** Limits of labels per project and per issue. A project's labels must fit into one answer. */
export const MAX_LABELS = { of_project: 500, of_issue: 50 } as const;
export const MAX_STATES = 50;

export interface Label {
  readonly id: LabelId;
  readonly project_id: ProjectId;
  readonly name: string;
  /** For example #d73a4a; null for none. */
  readonly color: string | null;
  readonly created_at: number;
}

export const MemberRole = z.enum(['guest', 'member', 'admin']);
export type MemberRole = z.infer<typeof MemberRole>;

/** The membership of a user in a project. */
export interface ProjectMember {
  readonly project_id: ProjectId;
  readonly user_id: UserId;
  readonly role: MemberRole;
  readonly added_at: number;
}

/** A member with the public data of the person. */
export interface MemberRow extends ProjectMember {
  readonly name: string;
  readonly status: UserStatus;
}

const RANK = { guest: 0, member: 1, admin: 2 } as const;

/** A role in a project is never higher than the role in the workspace. */
export const isWithinRole = (role: MemberRole, workspace_role: UserRole): boolean => RANK[role] <= RANK[workspace_role];

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
  /** A shell script that runs in the folder of a new attempt; null for none. Only administrators set it. */
  readonly setup_script: string | null;
  readonly created_at: number;
}

/** The columns that every project starts with. */
export const DEFAULT_STATES: readonly Pick<State, 'slug' | 'name' | 'state_group'>[] = [
  { slug: 'todo', name: 'Todo', state_group: 'unstarted' },
  { slug: 'inprogress', name: 'In progress', state_group: 'started' },
  { slug: 'inreview', name: 'Review', state_group: 'started' },
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
