import type {
  AgentId,
  LabelId,
  ProjectId,
  RunId,
  StateId,
  UserId,
  WorkItemId,
  WorkspaceId,
} from '../../../packages/server/src/domain/ids.ts';
import { DEFAULT_STATES, PROJECT_DEFAULTS, type StateGroup } from '../../../packages/server/src/domain/project.ts';
import { newRun } from '../../../packages/server/src/domain/run.ts';
import type { Scope } from '../../../packages/server/src/domain/scope.ts';
import type { UserRole } from '../../../packages/server/src/domain/user.ts';
import type { WorkItem } from '../../../packages/server/src/domain/work-item.ts';
import { issueToken } from '../../../packages/server/src/services/tokens.ts';
import type { Store, Transaction } from '../../../packages/server/src/store/store.ts';
import { createUuidV7 } from '../../../packages/server/src/store/uuid-v7.ts';

export const newId = createUuidV7(Date.now);

/** A project with one row of every kind, written directly into the store. */
export interface Site {
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly states: Readonly<Record<StateGroup, StateId>>;
  readonly label_id: LabelId;
  /** An active member of the project. */
  readonly member_id: UserId;
  /** An active user of the workspace who is no member yet. */
  readonly newcomer_id: UserId;
  readonly issue_id: WorkItemId;
  /** Another issue, which can be a parent. */
  readonly parent_id: WorkItemId;
}

export async function insertUser(tx: Transaction, workspace_id: WorkspaceId, role: UserRole = 'member') {
  const id = newId() as UserId;
  const user = { id, workspace_id, app: null, name: 'Ada', role, status: 'active', created_at: 1 } as const;
  await tx.users.insert(user);
  return user.id;
}

/** A work item with nothing but a title. */
export const anItem = (
  { workspace_id, project_id, states }: Pick<Site, 'workspace_id' | 'project_id' | 'states'>,
  title: string,
): WorkItem => ({
  id: newId() as WorkItemId,
  workspace_id,
  project_id,
  number: null,
  owner_id: null,
  state_id: states.unstarted,
  title,
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
  created_by_user_id: null,
  created_by_agent_id: null,
  created_at: 1,
  updated_at: 1,
});

export const plantSite = (store: Store, workspace_id: WorkspaceId, name: string): Promise<Site> =>
  store.transaction(async (tx) => {
    const project_id = newId() as ProjectId;
    // The default states have no backlog.
    const columns = [...DEFAULT_STATES, { slug: 'backlog', name: 'Backlog', state_group: 'backlog' as const }];
    const states = columns.map((state, position) => ({ ...state, id: newId() as StateId, project_id, position }));
    await tx.projects.insert(
      {
        id: project_id,
        workspace_id,
        kind: 'team',
        owner_id: null,
        name,
        card_guide: null,
        ...PROJECT_DEFAULTS,
        key: null,
        created_at: 1,
      },
      states,
    );
    const label_id = newId() as LabelId;
    await tx.projects.insertLabel({ id: label_id, project_id, name: 'Label', color: null, created_at: 1 });
    const member_id = await insertUser(tx, workspace_id);
    await tx.projects.putMember({ project_id, user_id: member_id, role: 'member', added_at: 1 });
    const newcomer_id = await insertUser(tx, workspace_id);

    const byGroup = Object.fromEntries(
      states.toReversed().map(({ state_group, id }) => [state_group, id]),
    ) as Site['states']; // every group has a state above
    const place = { workspace_id, project_id, states: byGroup };
    const [issue, parent] = [anItem(place, `card of ${name}`), anItem(place, `parent of ${name}`)];
    await tx.workItems.insert(issue);
    await tx.workItems.insert(parent);
    return { ...place, label_id, member_id, newcomer_id, issue_id: issue.id, parent_id: parent.id };
  });

export interface PlantedAgent {
  readonly agent_id: AgentId;
  readonly owner_id: UserId;
  readonly token_id: string;
  readonly token: string;
}

/** An agent with a token, granted all scopes of the token in each of these projects. */
export const plantAgent = (
  store: Store,
  { workspace_id }: Pick<Site, 'workspace_id'>,
  projects: readonly ProjectId[],
  scopes: readonly Scope[],
  rights = { can_complete: false, can_cancel: false },
): Promise<PlantedAgent> =>
  store.transaction(async (tx) => {
    const owner_id = await insertUser(tx, workspace_id);
    const agent_id = newId() as AgentId;
    await tx.agents.insert({ id: agent_id, workspace_id, owner_id, name: 'Robot', created_at: 1 });
    for (const project_id of projects) await tx.agents.putGrant({ agent_id, project_id, scopes, ...rights });
    const { token, secret } = await issueToken(tx, newId, {
      workspace_id,
      kind: 'agent',
      name: 'Robot',
      user_id: owner_id,
      agent_id,
      scopes,
      acts_for: 'self',
      expires_at: null,
    });
    return { agent_id, owner_id, token_id: token.id, token: secret };
  });

/** A work session that this agent has begun and not finished. */
export const plantSession = (
  store: Store,
  { workspace_id, project_id, issue_id }: Site,
  { agent_id, owner_id }: PlantedAgent,
): Promise<RunId> =>
  store.transaction(async (tx) => {
    const id = newId() as RunId;
    const work_item_id = issue_id;
    await tx.runs.insert(
      newRun({
        kind: 'external',
        id,
        workspace_id,
        project_id,
        work_item_id,
        user_id: owner_id,
        agent_id,
        started_at: tx.now,
      }),
    );
    return id;
  });
