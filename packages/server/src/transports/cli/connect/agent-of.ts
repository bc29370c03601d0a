import type { createAgent } from '#tools/admin/create-agent';
import type { listAgents } from '#tools/admin/list-agents';
import type { listProjects } from '#tools/admin/list-projects';
import { everyRow } from '#transports/cli/board/pages';
import type { Calls } from '#transports/cli/calls';
import { EVERYDAY_MOVES, EVERYDAY_SCOPES } from '#transports/cli/everyday-scopes';

type NewAgent = NonNullable<(typeof createAgent)['types']>['output'];
type AgentRow = NonNullable<(typeof listAgents)['types']>['output']['agents'][number];
export type Project = NonNullable<(typeof listProjects)['types']>['output']['projects'][number];

/** The person who connects a client, and the workspace. */
export interface AgentOwner {
  readonly calls: Calls;
  /** The person for whom the agent works. */
  readonly owner_id: string;
}

/** The name of a client's agent on this machine: one per client, however often it is connected. */
export const agentName = (client: string, machine: string): string => `${client} on ${machine}`;

export async function findAgent(place: AgentOwner, name: string): Promise<AgentRow | null> {
  const agents = await everyRow(
    (page) => place.calls.ask('admin', 'list_agents', page),
    (answer) => answer.agents,
  );
  return agents.find((agent) => agent.name === name && agent.owner_id === place.owner_id) ?? null;
}

/** The projects that this person may grant to an agent. */
export async function grantableProjects(place: AgentOwner): Promise<readonly Project[]> {
  const projects = await everyRow(
    (page) => place.calls.ask('admin', 'list_projects', page),
    (answer) => answer.projects,
  );
  return projects.filter(({ owner_id }) => owner_id === null || owner_id === place.owner_id);
}

/** Replaces the agent's grants by grants for the named projects. */
async function regrant(place: AgentOwner, agent_id: string, project_ids: readonly string[]): Promise<void> {
  const { grants } = await place.calls.ask('admin', 'show_agent', { agent_id });
  for (const project_id of project_ids) {
    const input = { agent_id, project_id, scopes: [...EVERYDAY_SCOPES], ...EVERYDAY_MOVES };
    await place.calls.ask('admin', 'grant_agent', input);
  }
  for (const { project_id } of grants.filter((grant) => !project_ids.includes(grant.project_id))) {
    await place.calls.ask('admin', 'ungrant_agent', { agent_id, project_id });
  }
}

/** Issues a token for the agent of this name, which is created if needed. The previous token works for another hour. */
export async function issueToken(place: AgentOwner, name: string, project_ids: readonly string[]): Promise<NewAgent> {
  const known = await findAgent(place, name);
  const scopes = [...EVERYDAY_SCOPES];
  if (known === null) {
    const input = { name, owner_id: place.owner_id, project_ids: [...project_ids], scopes, ...EVERYDAY_MOVES };
    return place.calls.ask('admin', 'create_agent', input);
  }
  const { agent_id } = known;
  const rotated = await place.calls.ask('admin', 'rotate_agent', { agent_id, scopes });
  await regrant(place, agent_id, project_ids);
  const { token_id, token, expires_at } = rotated;
  return { agent_id, token_id, token, expires_at };
}

/** Revokes the agent's tokens. Returns how many were valid until now. */
export async function revokeAgent(place: AgentOwner, agent_id: string): Promise<number> {
  return (await place.calls.ask('admin', 'revoke_agent', { agent_id })).ended_tokens;
}
