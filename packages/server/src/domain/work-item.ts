import { z } from 'zod';
import type { AgentId, CommentId, ProjectId, StateId, UserId, WorkItemId, WorkspaceId } from './ids.ts';
import type { StateGroup } from './project.ts';

export const Priority = z.enum(['none', 'low', 'medium', 'high', 'urgent']);
export type Priority = z.infer<typeof Priority>;

/** Tasks are started in this order. */
export const BY_URGENCY: readonly Priority[] = ['urgent', 'high', 'medium', 'low', 'none'];

/** Of a task of a project. */
export const MAX_TITLE_CHARACTERS = 255;
export const MAX_DESCRIPTION_CHARACTERS = 50_000;

/** A task of the board. The todo profile calls it a todo, the tasker profile an issue. */
export interface WorkItem {
  readonly id: WorkItemId;
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  /** Its number in the project, given by the store; null when an older server made the item. */
  readonly number: number | null;
  /** The user whose todo list it is on; null for an item of a team's project. */
  readonly owner_id: UserId | null;
  readonly state_id: StateId;
  readonly title: string;
  /** The description as plain text. */
  readonly description: string | null;
  /** The description as sanitized HTML; null when it was written as plain text. */
  readonly description_html: string | null;
  /** Structured blocks, as the JSON of a `DetailLayout`; null for none. */
  readonly detail_layout: string | null;
  readonly priority: Priority;
  readonly sort_order: number;
  readonly parent_id: WorkItemId | null;
  readonly start_date: string | null;
  readonly target_date: string | null;
  /** Set exactly while the state is of the group `completed`. */
  readonly completed_at: number | null;
  readonly version: number;
  /** The author; both are null for items from before authors were kept. */
  readonly created_by_user_id: UserId | null;
  readonly created_by_agent_id: AgentId | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A work item before the store has numbered it. */
export type NewWorkItem = Omit<WorkItem, 'number'>;

/** A comment on a work item. */
export interface Comment {
  readonly id: CommentId;
  readonly work_item_id: WorkItemId;
  /** Sanitized. */
  readonly comment_html: string;
  readonly author_user_id: UserId;
  readonly author_agent_id: AgentId | null;
  readonly created_at: number;
}

/** A comment with the names of its author. */
export interface CommentRow extends Comment {
  readonly author_name: string;
  readonly agent_name: string | null;
}

/** A work item as search and lists show it. */
export type ItemRow = Pick<
  WorkItem,
  'id' | 'project_id' | 'state_id' | 'title' | 'priority' | 'target_date' | 'version' | 'updated_at'
> & {
  readonly state_name: string;
  readonly state_group: StateGroup;
  /** For example WEB-12; null for the todos of an app's users. */
  readonly key: string | null;
};

/** How well an item matches a query: all words are in the title, or in the whole text. */
export type SearchTier = 'title' | 'text';

const MAX_TODO_CHARACTERS = 1_000;

/** The part of a description that a todo list shows: descriptions of cards can be far longer than those of todos. */
export const todoDescription = (description: string | null): string | null =>
  description === null || description.length <= MAX_TODO_CHARACTERS
    ? description
    : `${[...description.slice(0, MAX_TODO_CHARACTERS)].slice(0, -1).join('')}…`;

/** A work item as lists show it. */
export type TodoRow = Pick<WorkItem, 'id' | 'title' | 'description'> & { readonly completed: boolean };
