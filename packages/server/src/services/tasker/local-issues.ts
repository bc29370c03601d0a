import { layoutFrom } from '#domain/blocks';
import type { Caller } from '#domain/caller';
import type { AgentId, StateId, UserId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { State } from '#domain/project';
import { type CleanHtml, htmlOf, textOfClean } from '#domain/rich-text';
import type { WorkItem } from '#domain/work-item';
import type { Reads } from '#store/store';
import type { Author, Issue, IssueChanges, NewIssue, TrackerState } from './adapter.ts';
import { onlyIn } from './lookup.ts';

export const stateOf = ({ id, name, state_group }: State): TrackerState => ({ id, name, group: state_group });

interface Writer {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId | null;
  readonly agent_id: AgentId | null;
}

/** The author of an agent's text is the agent, not its owner. */
export async function authorOf(tx: Reads, { workspace_id, user_id, agent_id }: Writer): Promise<Author | null> {
  if (agent_id !== null) {
    return { kind: 'agent', id: agent_id, name: (await tx.agents.find(workspace_id, agent_id))?.name ?? '' };
  }
  if (user_id === null) return null;
  return { kind: 'user', id: user_id, name: (await tx.users.find(workspace_id, user_id))?.name ?? '' };
}

// Safe: only `newItem` and `changedItem` write it, and they sanitize.
const htmlOfItem = ({ description, description_html }: WorkItem): CleanHtml | null =>
  (description_html as CleanHtml | null) ?? (description === null ? null : htmlOf(description));

/** A work item as an issue, with all its parts. */
export async function issueOfItem(tx: Reads, item: WorkItem): Promise<Issue> {
  const { id, project_id, workspace_id } = item;
  const within = onlyIn(item, project_id);
  const states = await tx.projects.states(workspace_id, project_id);
  const state = states.find((known) => known.id === item.state_id);
  if (state === undefined) throw new Error(`work item ${id} has a state of another project`);
  const assignees = await tx.workItems.assignees(within, id);
  const { parent_id } = item;
  // Read, since the store gives the number to an item that was inserted just now.
  const keys = await tx.names.keysOf(workspace_id, parent_id === null ? [id] : [id, parent_id]);
  return {
    id,
    key: keys.get(id) ?? null,
    project_id,
    name: item.title,
    description_html: htmlOfItem(item),
    detail_layout: layoutFrom(item.detail_layout),
    state: stateOf(state),
    priority: item.priority,
    labels: (await tx.workItems.labels(within, id)).map((label) => ({ id: label.id, name: label.name })),
    assignees: assignees.map(({ user_id, name }) => ({ id: user_id, name })),
    parent_id,
    parent_key: parent_id === null ? null : (keys.get(parent_id) ?? null),
    start_date: item.start_date,
    target_date: item.target_date,
    sort_order: item.sort_order,
    version: item.version,
    created_by: await authorOf(tx, {
      workspace_id,
      user_id: item.created_by_user_id,
      agent_id: item.created_by_agent_id,
    }),
    created_at: item.created_at,
    updated_at: item.updated_at,
  };
}

// Safe: the port has the ids of any tracker, and here that is Errand's own. An unknown id finds nothing.
export const taskId = (id: string): WorkItemId => id as WorkItemId;
const parentId = (id: string | null): WorkItemId | null => (id === null ? null : taskId(id));
const stateId = ({ id }: { readonly id: string }): StateId => id as StateId;

/** The item with the changes of its own columns. The service has checked that the ids belong to this tracker. */
export function changedItem(item: WorkItem, changes: IssueChanges, now: number): WorkItem {
  const { state, detail_layout: layout, description_html: html } = changes;
  const completed = state?.group === 'completed';
  return {
    ...item,
    title: changes.name ?? item.title,
    ...(html !== undefined && {
      description_html: html,
      description: html === null ? null : textOfClean(html) || null,
    }),
    ...(layout !== undefined && { detail_layout: layout === null ? null : JSON.stringify(layout) }),
    priority: changes.priority ?? item.priority,
    start_date: changes.start_date === undefined ? item.start_date : changes.start_date,
    target_date: changes.target_date === undefined ? item.target_date : changes.target_date,
    parent_id: changes.parent_id === undefined ? item.parent_id : parentId(changes.parent_id),
    sort_order: changes.sort_order ?? item.sort_order,
    ...(state !== undefined && {
      state_id: stateId(state),
      completed_at: completed ? (item.completed_at ?? now) : null,
    }),
    version: item.version + 1,
    updated_at: now,
  };
}

interface Origin {
  readonly id: WorkItemId;
  readonly caller: Caller;
  /** The owner of the todo list that holds it; null for none. */
  readonly owner_id: UserId | null;
  readonly now: number;
}

export function newItem(issue: NewIssue, { id, caller, owner_id, now }: Origin): WorkItem {
  const html = issue.description_html;
  return {
    id,
    workspace_id: caller.workspace_id,
    project_id: issue.project_id,
    number: null,
    owner_id,
    state_id: stateId(issue.state),
    title: issue.name,
    description: html === null ? null : textOfClean(html) || null,
    description_html: html,
    detail_layout: issue.detail_layout === null ? null : JSON.stringify(issue.detail_layout),
    priority: issue.priority,
    sort_order: now,
    parent_id: parentId(issue.parent_id),
    start_date: issue.start_date,
    target_date: issue.target_date,
    completed_at: issue.state.group === 'completed' ? now : null,
    version: 1,
    created_by_user_id: caller.user_id,
    created_by_agent_id: caller.agent_id,
    created_at: now,
    updated_at: now,
  };
}
