import type { DetailLayout } from '#domain/blocks';
import type { Caller } from '#domain/caller';
import type { WorkItemId } from '#domain/ids';
import { plainLine, plainText } from '#domain/plain-text';
import type { Project, State } from '#domain/project';
import type { Priority, WorkItem } from '#domain/work-item';

interface NewRow {
  readonly id: WorkItemId;
  readonly project: Project;
  /** Its first column. */
  readonly state: State;
  readonly caller: Caller;
  readonly now: number;
}

interface Fields {
  readonly title: string;
  readonly description?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly parent_id?: WorkItemId | null | undefined;
  readonly target_date?: string | null | undefined;
  readonly layout?: DetailLayout | null | undefined;
}

/** The stored text of a description; null for an empty one. */
export const descriptionFrom = (text: string | undefined): string | null =>
  text ? plainText('description', text) : null;

/** A task that begins now. */
export const newTask = ({ id, project, state, caller, now }: NewRow, fields: Fields): WorkItem => ({
  id,
  workspace_id: project.workspace_id,
  project_id: project.id,
  number: null,
  owner_id: project.owner_id,
  state_id: state.id,
  title: plainLine('title', fields.title),
  description: descriptionFrom(fields.description),
  description_html: null,
  detail_layout: fields.layout == null ? null : JSON.stringify(fields.layout),
  priority: fields.priority ?? 'none',
  sort_order: now,
  parent_id: fields.parent_id ?? null,
  start_date: null,
  target_date: fields.target_date ?? null,
  completed_at: state.state_group === 'completed' ? now : null,
  version: 1,
  created_by_user_id: caller.user_id,
  created_by_agent_id: caller.agent_id,
  created_at: now,
  updated_at: now,
});
