import type { AuditDraft } from '#domain/audit';
import type { Exchange } from '#domain/conversation';
import type { IdempotencyRecord } from '#domain/idempotency';
import type {
  AgentId,
  ConversationId,
  ProjectId,
  StateId,
  TokenId,
  UserId,
  WorkItemId,
  WorkspaceId,
} from '#domain/ids';
import { PROJECT_DEFAULTS, type Project, type State } from '#domain/project';
import type { Token } from '#domain/token';
import type { User } from '#domain/user';
import type { WorkItem } from '#domain/work-item';
import type { Store } from '#store/store';

/** Why a store cannot do something: the tests that need it are shown as skipped, with this reason. */
interface Gap {
  readonly gap: string;
}

/** A fresh store, and what the contract needs to know about it. */
interface StoreFixture extends AsyncDisposable {
  readonly store: Store;
  /** How many works shared each commit so far. */
  readonly commits: readonly number[];
  /** As if this time had passed since everything was written. */
  readonly elapse: (ms: number) => Promise<void>;
  /** Closes the store and opens the same data again. */
  readonly reopen: (() => Promise<Store>) | Gap;
  /** Opens the same data beside the store, as another process would. */
  readonly beside: (() => Promise<Store & AsyncDisposable>) | Gap;
}

export type OpenFixture = () => Promise<StoreFixture>;

let count = 0;

/** Ids in the order of their making, different in every suite of a run. */
export const anId = <Id extends string>(): Id => {
  count += 1;
  // Ids are branded strings; which noun it is for is the caller's to say.
  return `00000000-0000-7000-8000-${String(count).padStart(12, '0')}` as Id;
};

/** Counts the things of one owner from 1, as the store numbers them when they are inserted in the order of their making. */
export function createNumbers(): (owner: string) => number {
  const last = new Map<string, number>();
  return (owner) => {
    const next = (last.get(owner) ?? 0) + 1;
    last.set(owner, next);
    return next;
  };
}

export const aUser = (workspace_id: WorkspaceId, fields: Partial<User> = {}): User => ({
  id: anId<UserId>(),
  workspace_id,
  app: null,
  name: 'Ada',
  role: 'member',
  status: 'active',
  created_at: 1,
  ...fields,
});

export const aProject = (workspace_id: WorkspaceId, fields: Partial<Project> = {}): Project => ({
  id: anId<ProjectId>(),
  workspace_id,
  kind: 'team',
  owner_id: null,
  name: 'Garden',
  card_guide: null,
  key: null,
  ...PROJECT_DEFAULTS,
  created_at: 1,
  ...fields,
});

export const someStates = (project_id: ProjectId): readonly State[] =>
  (['unstarted', 'started', 'completed'] as const).map((state_group, position) => ({
    id: anId<StateId>(),
    project_id,
    slug: state_group,
    name: state_group,
    state_group,
    position,
  }));

export const aToken = (user: User, fields: Partial<Token> = {}): Token => ({
  id: anId<TokenId>(),
  workspace_id: user.workspace_id,
  kind: 'user',
  name: 'laptop',
  hash: anId(),
  user_id: user.id,
  agent_id: null,
  scopes: ['todo:read', 'todo:write'],
  acts_for: 'self',
  app: null,
  attempt_id: null,
  project_id: null,
  created_at: 1,
  expires_at: null,
  revoked_at: null,
  ...fields,
});

export const anExchange = (user: User, ...contents: readonly string[]): Exchange => ({
  workspace_id: user.workspace_id,
  user_id: user.id,
  messages: contents.map((content) => ({ role: 'user', content })),
});

export const anEvent = (user: User, fields: Partial<AuditDraft> = {}): AuditDraft => ({
  workspace_id: user.workspace_id,
  actor_kind: 'user',
  user_id: user.id,
  agent_id: null as AgentId | null,
  token_id: null,
  action: 'add_task',
  outcome: 'ok',
  entity: 'work_item',
  entity_id: null,
  idempotency_key: null,
  correlation_id: 'c-1',
  before_digest: null,
  after_digest: null,
  instruction_ref: null,
  reason: null,
  repeats: null,
  ...fields,
});

/** As much of a fingerprint as is kept. */
export const aHash = (count: number): string => count.toString(16).padStart(32, '0');

export const aRecord = (now: number, fields: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  principal_id: 'agent-1',
  key: 'key-1',
  args_hash: aHash(1),
  result: '{"ok":true}',
  project_id: null,
  created_at: now,
  expires_at: now + 60_000,
  ...fields,
});

/** A workspace with one user who has a todo list. */
export async function settle(store: Store, workspace_id: WorkspaceId = anId()) {
  const user = aUser(workspace_id);
  const project = aProject(workspace_id, { kind: 'personal', owner_id: user.id });
  const states = someStates(project.id);
  await store.transaction(async (tx) => {
    await tx.workspaces.insert({ id: workspace_id, name: 'Home', created_at: 1 });
    await tx.users.insert(user);
    await tx.projects.insert(project, states);
  });
  const [pending] = states;
  if (pending === undefined) throw new Error('A project without states.');

  const nextNumber = createNumbers();
  const aTodo = (fields: Partial<WorkItem> = {}): WorkItem => ({
    id: anId<WorkItemId>(),
    workspace_id,
    project_id: project.id,
    number: nextNumber(project.id),
    owner_id: user.id,
    state_id: pending.id,
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
    created_by_user_id: null,
    created_by_agent_id: null,
    created_at: 1,
    updated_at: 1,
    ...fields,
  });
  return { workspace_id, user, project, states, aTodo };
}

/** A page that holds any list of these tests. */
export const EVERYTHING = { after: null, limit: 1_000 };

/** What was said in each of the user's conversations, oldest first. */
export async function conversationsOf(store: Store, user: User): Promise<readonly (readonly string[])[]> {
  const conversations = await store.reads.conversations.list(user.id, EVERYTHING);
  return Promise.all(
    conversations
      .toReversed()
      .map(async ({ id }: { readonly id: ConversationId }) =>
        (await store.reads.conversations.messages(user.id, id, EVERYTHING)).map(({ content }) => content),
      ),
  );
}
