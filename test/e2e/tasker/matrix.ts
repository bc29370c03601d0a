import type { ProjectId } from '../../../packages/server/src/domain/ids.ts';
import { NEVER_FOR_AGENTS, PROJECT_SCOPES, SCOPES, type Scope } from '../../../packages/server/src/domain/scope.ts';
import { catalog, type Tool } from '../../../packages/server/src/tools/catalog.ts';
import type { Arguments } from '../client.ts';
import { newId, type PlantedAgent, type Site } from './site.ts';
import type { Tracker } from './tracker.ts';

export const TASKER: readonly Tool[] = catalog.filter(({ profile }) => profile === 'tasker');

export const LAYOUT = { nodedc_structured_blocks: { version: 1, blocks: [{ id: 'b1', type: 'text', text: 'Why' }] } };

/** The arguments of each tool at a site, without the idempotency key. */
export const ARGUMENTS: Readonly<Record<string, (at: Site & { readonly work_session_id: string }) => Arguments>> = {
  tasker_get_agent_instructions: ({ project_id }) => ({ project_id }),
  tasker_list_projects: () => ({}),
  tasker_get_project_context: ({ project_id }) => ({ project_id }),
  tasker_list_work_reports: ({ project_id }) => ({ project_id }),
  tasker_search_issues: ({ project_id }) => ({ query: 'card', project_id }),
  tasker_get_issue: ({ issue_id }) => ({ issue_id }),
  tasker_create_issue: ({ project_id }) => ({ project_id, name: 'A card' }),
  tasker_update_issue: ({ issue_id }) => ({ issue_id, name: 'Another name' }),
  tasker_move_issue: ({ issue_id, states }) => ({ issue_id, state_id: states.started }),
  tasker_set_issue_labels: ({ issue_id, label_id }) => ({ issue_id, label_ids: [label_id], mode: 'set' }),
  tasker_assign_issue: ({ issue_id, member_id }) => ({ issue_id, assignee_ids: [member_id] }),
  tasker_add_existing_project_member: ({ project_id, newcomer_id }) => ({
    project_id,
    user_id: newcomer_id,
    instruction_ref: 'chat 42',
  }),
  tasker_append_comment: ({ issue_id }) => ({ issue_id, comment_html: '<p>Seen.</p>' }),
  tasker_update_structured_blocks: ({ issue_id }) => ({ issue_id, action: 'append_text_block', text: 'Done so far' }),
  tasker_start_work_session: ({ project_id }) => ({ project_id }),
  tasker_finish_work_session: ({ work_session_id }) => ({ work_session_id, summary: 'All done' }),
};

/** A tool, or a tool with a field that asks for more. */
export interface Subject {
  readonly title: string;
  readonly tool: Tool;
  readonly scopes: readonly Scope[];
  readonly more: Arguments;
}

const MORE: Readonly<Record<string, unknown>> = { detail_layout: LAYOUT };

export const SUBJECTS: readonly Subject[] = TASKER.flatMap((tool) => [
  { title: tool.name, tool, scopes: tool.scopes, more: {} },
  ...Object.entries(tool.field_scopes).map(([field, scope]) => ({
    title: `${tool.name} with ${field}`,
    tool,
    scopes: [...tool.scopes, scope],
    more: { [field]: MORE[field] },
  })),
]);

export const GRANTABLE = (Object.keys(SCOPES) as Scope[]).filter((scope) => !NEVER_FOR_AGENTS.has(scope));

type ScopeSet = readonly Scope[];

/** Every set once. */
const distinct = (sets: readonly ScopeSet[]): readonly ScopeSet[] => [
  ...new Map(sets.map((scopes) => [scopes.toSorted().join(' '), scopes])).values(),
];

/** For each subject its own scopes. */
export const OWN_SCOPES = distinct(SUBJECTS.map(({ scopes }) => scopes));

/** For each subject its own scopes and all others, and each scope alone. */
export const SCOPE_SETS = distinct([
  ...OWN_SCOPES,
  ...OWN_SCOPES.map((own) => GRANTABLE.filter((scope) => !own.includes(scope))),
  ...GRANTABLE.map((scope) => [scope]),
]);

export const CONDITIONS = [
  'granted',
  'other project',
  'other workspace',
  'grant removed',
  'last grant removed',
  'owner blocked',
  'revoked',
  'expired',
  'no token',
] as const;
export type Condition = (typeof CONDITIONS)[number];

const DEAD: ReadonlySet<Condition> = new Set<Condition>(['owner blocked', 'revoked', 'expired', 'no token']);

/** Returns the documented answer, which depends only on the tool, the scopes of the token and the condition. */
export function expected({ tool, scopes }: Subject, held: readonly Scope[], condition: Condition): string {
  if (DEAD.has(condition)) return 'unauthenticated';
  const isLost = condition === 'last grant removed';
  const missing = scopes.some((scope) => !held.includes(scope) || (isLost && PROJECT_SCOPES.has(scope)));
  if (missing) return 'insufficient_scope';
  if (condition === 'granted') return 'ok';
  if ('project_id' in tool.input.shape) return 'project_not_granted';
  return 'issue_id' in tool.input.shape || 'work_session_id' in tool.input.shape ? 'not_found' : 'ok';
}

export interface Stage {
  readonly tracker: Tracker;
  readonly agent: PlantedAgent;
  readonly scopes: readonly Scope[];
}

const grantAgain = ({ tracker: { store }, agent, scopes }: Stage, projects: readonly ProjectId[]): Promise<void> =>
  store.transaction(async (tx) => {
    for (const project_id of projects)
      await tx.agents.putGrant({
        agent_id: agent.agent_id,
        project_id,
        scopes,
        can_complete: false,
        can_cancel: false,
      });
  });

const ungrant = ({ tracker: { store, home }, agent }: Stage, projects: readonly ProjectId[]): Promise<void> =>
  store.transaction(async (tx) => {
    for (const project_id of projects) await tx.agents.removeGrant(home.workspace_id, agent.agent_id, project_id);
  });

/** Sets up a condition. Returns a function that undoes it. */
export async function bringAbout(condition: Condition, stage: Stage): Promise<() => Promise<void>> {
  const { tracker, agent } = stage;
  const { store, home, side } = tracker;
  if (condition === 'grant removed') {
    await ungrant(stage, [home.project_id]);
    return () => grantAgain(stage, [home.project_id]);
  }
  if (condition === 'last grant removed') {
    await ungrant(stage, [home.project_id, side.project_id]);
    return () => grantAgain(stage, [home.project_id, side.project_id]);
  }
  if (condition === 'owner blocked') {
    const set = (status: 'active' | 'blocked') =>
      store.transaction(async (tx) => void (await tx.users.setStatus(home.workspace_id, agent.owner_id, status)));
    await set('blocked');
    return () => set('active');
  }
  const id = agent.token_id as Parameters<Store['tokens']['revoke']>[1];
  if (condition === 'revoked') {
    await store.transaction(async (tx) => void (await tx.tokens.revoke(home.workspace_id, id, tx.now)));
    return () => tracker.force('update tokens set revoked_at = null where id = ?', id);
  }
  if (condition === 'expired') {
    await store.transaction((tx) => tx.tokens.expireBy(home.workspace_id, id, tx.now));
    return () => tracker.force('update tokens set expires_at = null where id = ?', id);
  }
  return async () => {};
}

type Store = Parameters<Parameters<Tracker['store']['transaction']>[0]>[0];

export const siteOf = (condition: Condition, { home, neighbour, abroad }: Tracker): Site =>
  condition === 'other project' ? neighbour : condition === 'other workspace' ? abroad : home;

/** Returns the arguments of one call, with a new key if the tool takes one. */
export const argumentsFor = ({ tool, more }: Subject, at: Site, work_session_id: string): Arguments => ({
  ...ARGUMENTS[tool.name]?.({ ...at, work_session_id }),
  ...more,
  ...('idempotency_key' in tool.input.shape && { idempotency_key: newId() }),
});
