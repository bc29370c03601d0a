import { z } from 'zod';
import type { AgentId, CommentId, ProjectId, StateId, UserId, WorkItemId, WorkspaceId } from './ids.ts';
import type { StateGroup } from './project.ts';

export const Priority = z.enum(['none', 'low', 'medium', 'high', 'urgent']);
export type Priority = z.infer<typeof Priority>;

/** The one that comes first is begun first. */
export const BY_URGENCY: readonly Priority[] = ['urgent', 'high', 'medium', 'low', 'none'];

/** A todo, a task of the board, an issue: one thing under three names. */
export interface WorkItem {
  readonly id: WorkItemId;
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  /** The user whose todo list it is on; null for an item of a team's project. */
  readonly owner_id: UserId | null;
  readonly state_id: StateId;
  readonly title: string;
  /** As plain text, whatever form it was written in. */
  readonly description: string | null;
  /** As it was written by whoever writes HTML, sanitized; null when plain text is all there is. */
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
  /** Who made it; both null for items from before authors were kept. */
  readonly created_by_user_id: UserId | null;
  readonly created_by_agent_id: AgentId | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** What someone said about a work item. */
export interface Comment {
  readonly id: CommentId;
  readonly work_item_id: WorkItemId;
  /** Sanitized. */
  readonly comment_html: string;
  readonly author_user_id: UserId;
  readonly author_agent_id: AgentId | null;
  readonly created_at: number;
}

/** A comment with the names of who said it. */
export interface CommentRow extends Comment {
  readonly author_name: string;
  readonly agent_name: string | null;
}

/** A work item as search and lists show it. */
export type ItemRow = Pick<
  WorkItem,
  'id' | 'project_id' | 'state_id' | 'title' | 'priority' | 'target_date' | 'version' | 'updated_at'
> & { readonly state_name: string; readonly state_group: StateGroup };

/** How well an item answers a query: its words are all in the title, or somewhere in it. */
export type SearchTier = 'title' | 'text';

const MAX_TODO_CHARACTERS = 1_000;

/** What a todo list shows of a description: cards may have far longer ones than todos. */
export const todoDescription = (description: string | null): string | null =>
  description === null || description.length <= MAX_TODO_CHARACTERS
    ? description
    : `${[...description.slice(0, MAX_TODO_CHARACTERS)].slice(0, -1).join('')}…`;

/** A work item as lists show it. */
export type TodoRow = Pick<WorkItem, 'id' | 'title' | 'description'> & { readonly completed: boolean };
