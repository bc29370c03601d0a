import type { Agent } from '#domain/agent';
import type { EventDraft } from '#domain/event';
import type { AgentId, CommentId, LabelId, RunId, StateId, StepId, WorkItemId } from '#domain/ids';
import type { Label, Project, State } from '#domain/project';
import type { Within } from '#domain/reach';
import { newRun, type Run, type Step } from '#domain/run';
import type { User } from '#domain/user';
import type { Comment, WorkItem } from '#domain/work-item';
import type { Store } from '#store/store';
import { anId, aProject, aUser, createNumbers, settle, someStates } from './fixture.ts';

export const anAgent = (owner: User, fields: Partial<Agent> = {}): Agent => ({
  id: anId<AgentId>(),
  workspace_id: owner.workspace_id,
  owner_id: owner.id,
  name: 'claude',
  created_at: 1,
  ...fields,
});

export const aLabel = (project: Project, name: string): Label => ({
  id: anId<LabelId>(),
  project_id: project.id,
  name,
  color: null,
  created_at: 1,
});

export const aComment = (item: WorkItem, author: User, fields: Partial<Comment> = {}): Comment => ({
  id: anId<CommentId>(),
  work_item_id: item.id,
  comment_html: '<p>Done.</p>',
  author_user_id: author.id,
  author_agent_id: null,
  created_at: 1,
  ...fields,
});

export const aRun = (project: Project, user: User, fields: Partial<Run> = {}): Run =>
  newRun({
    kind: 'external',
    id: anId<RunId>(),
    workspace_id: project.workspace_id,
    project_id: project.id,
    work_item_id: null,
    user_id: user.id,
    agent_id: null,
    started_at: 1,
    ...fields,
  });

export const aStep = (run: Run, fields: Partial<Step> = {}): Omit<Step, 'seq'> => ({
  id: anId<StepId>(),
  execution_id: run.id,
  name: 'Write the tests',
  status: 'running',
  message: null,
  source: 'agent',
  started_at: 1,
  updated_at: 1,
  ended_at: null,
  ...fields,
});

export const aChange = (user: User, fields: Partial<EventDraft> = {}): EventDraft => ({
  workspace_id: user.workspace_id,
  kind: 'step.created',
  entity_id: null,
  execution_id: null,
  audience: { scope: 'issue:read', project_id: null, user_id: user.id, agent_id: null, service_id: null },
  actor: null,
  data: null,
  ...fields,
});

/** A project of a team in the workspace of this user, who is its only member. */
export async function aTeam(store: Store, user: User) {
  const project = aProject(user.workspace_id, { key: `T${anId().slice(-6)}` });
  const states = someStates(project.id);
  await store.transaction(async (tx) => {
    await tx.projects.insert(project, states);
    await tx.projects.putMember({ project_id: project.id, user_id: user.id, role: 'member', added_at: 1 });
  });

  const nextNumber = createNumbers();
  const anItem = (fields: Partial<WorkItem> = {}): WorkItem => ({
    id: anId<WorkItemId>(),
    workspace_id: user.workspace_id,
    project_id: project.id,
    number: nextNumber(project.id),
    owner_id: null,
    // A project without states would fail in `insert`.
    state_id: (states[0] as State).id as StateId,
    title: 'Water the plants',
    description: null,
    description_html: null,
    detail_layout: null,
    priority: 'none',
    sort_order: 1,
    parent_id: null,
    start_date: null,
    target_date: null,
    completed_at: null,
    version: 1,
    created_by_user_id: user.id,
    created_by_agent_id: null,
    created_at: 1,
    updated_at: 1,
    ...fields,
  });
  return { project, states, anItem };
}

/** Two workspaces, the first with two users and two teams. */
export async function settleTeams(store: Store) {
  const [{ workspace_id, user }, foreign] = [await settle(store), await settle(store)];
  const second = aUser(workspace_id, { name: 'Zoë' });
  await store.transaction((tx) => tx.users.insert(second));
  const [garden, kitchen] = [await aTeam(store, user), await aTeam(store, user)];

  const only = (...projects: readonly Project[]): Within => ({
    workspace_id,
    project_ids: projects.map(({ id }) => id),
  });
  return {
    workspace_id,
    user,
    second,
    foreign,
    garden,
    kitchen,
    only,
    everything: { workspace_id, project_ids: 'all' } satisfies Within,
    /** Each sees nothing of the garden. */
    elsewhere: [
      only(),
      only(kitchen.project),
      { workspace_id: foreign.workspace_id, project_ids: 'all' },
      { workspace_id: foreign.workspace_id, project_ids: [garden.project.id] },
    ] satisfies readonly Within[],
  };
}
