import type { Caller } from '#domain/caller';
import type { LabelId, ProjectId, UserId } from '#domain/ids';
import type { MemberRole } from '#domain/project';
import { PROJECT_SCOPES, type Scope } from '#domain/scope';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { createWorld, type World } from './world.ts';

export const ISSUE_SCOPES: readonly Scope[] = [
  'workspace:read',
  ...[...PROJECT_SCOPES].filter((scope) => !scope.startsWith('board:')),
];

interface AgentFields {
  readonly projects: readonly string[];
  readonly owner_id?: string;
  readonly scopes?: readonly string[];
  readonly can_complete?: boolean;
  readonly can_cancel?: boolean;
}

/** Makes projects and agents in a world, and calls tools as an agent with a new idempotency key each time. */
export function createTracker(world: World) {
  let keys = 0;
  const nextKey = (): string => {
    keys++;
    return `key ${keys}`;
  };

  const agent = async ({ projects, scopes = ISSUE_SCOPES, ...rights }: AgentFields): Promise<Caller> => {
    const { token } = await world.ask('admin_create_agent', {
      name: 'Robot',
      owner_id: world.owner.user_id,
      project_ids: projects,
      scopes,
      ...rights,
    });
    return world.gateway.authenticate(token as string);
  };

  const keyed = (tool: string, input: object): object => {
    const definition = world.gateway.find(tool, 'all');
    return definition?.effect === 'read' ? input : { idempotency_key: nextKey(), ...input };
  };

  return {
    agent,
    project: async (name = 'Rocket'): Promise<string> =>
      (await world.ask('admin_add_project', { name })).project_id as string,
    states: async (project: string): Promise<Record<string, string>> => {
      const states = await world.store.reads.projects.states(world.owner.workspace_id, project as ProjectId);
      return Object.fromEntries(states.map(({ slug, id }) => [slug, id]));
    },
    label: async (project: string, name: string): Promise<string> => {
      const id = `label-${name}` as LabelId;
      await world.store.transaction((tx) =>
        tx.projects.insertLabel({ id, project_id: project as ProjectId, name, color: null, created_at: tx.now }),
      );
      return id;
    },
    member: async (project: string, name: string, role: MemberRole = 'member'): Promise<string> => {
      const user_id = (await world.addUser(name)) as UserId;
      await world.store.transaction((tx) =>
        tx.projects.putMember({ project_id: project as ProjectId, user_id, role, added_at: tx.now }),
      );
      return user_id;
    },
    ask: (caller: Caller, tool: string, input: object) => world.ask(tool, keyed(tool, input), caller),
    refuse: (caller: Caller, tool: string, input: object) => world.refuse(tool, keyed(tool, input), caller),
    /** Creates an issue and returns its id. */
    issue: async (caller: Caller, input: object): Promise<string> => {
      const { issue } = await world.ask('tasker_create_issue', keyed('tasker_create_issue', input), caller);
      return (issue as { readonly id: string }).id;
    },
    read: async (caller: Caller, issue_id: string): Promise<Record<string, unknown>> =>
      (await world.ask('tasker_get_issue', { issue_id }, caller)).issue as Record<string, unknown>,
  };
}

/** A world with one project and an agent that may do everything in it, unless the options say otherwise. */
export async function createTrackerWorld({
  tracker: differences = {},
  ...rights
}: Partial<AgentFields> & { tracker?: Partial<TaskerAdapter> } = {}) {
  const world = await createWorld({ tracker: differences });
  const tracker = createTracker(world);
  const project_id = await tracker.project();
  const robot = await tracker.agent({ projects: [project_id], ...rights });
  return {
    ...tracker,
    world,
    project_id,
    robot,
    states: await tracker.states(project_id),
    statesOf: tracker.states,
    [Symbol.asyncDispose]: () => world.store.close(),
  };
}
