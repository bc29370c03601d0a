import { say } from '#advice';
import type { Agent, Grant } from '#domain/agent';
import type { HeldClaim } from '#domain/claim';
import type { AgentId, ProjectId, UserId } from '#domain/ids';
import type { Referent } from '#domain/reference';
import { NEVER_FOR_AGENTS, PROJECT_SCOPES, type Scope } from '#domain/scope';
import type { Token } from '#domain/token';
import type { User } from '#domain/user';
import { ErrandError } from '#errors';
import { namesakesOf } from './names.ts';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { findGrantable } from './projects.ts';
import {
  expiryFor,
  type IssuedToken,
  issueToken,
  mayHandOut,
  mayHandOutIn,
  mustBeActiveUser,
  statusOf,
  type TokenStatus,
  withoutHash,
} from './tokens.ts';
import type { ReadWork, WriteWork } from './work.ts';

interface NewAgent {
  readonly name: string;
  readonly owner_id?: UserId | undefined;
  readonly project_ids: readonly ProjectId[];
  readonly scopes: readonly Scope[];
  readonly can_complete: boolean;
  readonly can_cancel: boolean;
  readonly expires_in?: string | undefined;
}

/** The state of an agent: whether it can work now. */
export type AgentStatus = 'active' | 'owner_blocked' | 'no_live_token';

export interface AgentRow extends Agent {
  readonly status: AgentStatus;
  readonly live_tokens: number;
  /** When the last of its valid tokens expires; null for never, and when none is valid. */
  readonly expires_at: number | null;
}

export interface AgentDetails extends AgentRow {
  /** The task that it has claimed last, and works on. */
  readonly claim: HeldClaim | null;
  readonly grants: readonly (Grant & { readonly project_name: string | null })[];
  readonly tokens: readonly (Omit<Token, 'hash'> & { readonly status: TokenStatus })[];
}

export const AGENT_TOKEN_LIFE = '90d';

/** Refuses scopes that only people may hold: deleting, administering and acting for others. */
export function mustSuitAgents(scopes: readonly Scope[]): void {
  const refused = scopes.filter((scope) => NEVER_FOR_AGENTS.has(scope));
  if (refused.length === 0) return;
  throw new ErrandError('validation_error', say`${{ field: 'scopes' }}: no agent may hold ${refused.join(', ')}.`);
}

export async function findAgent({ tx, caller }: ReadWork, id: AgentId): Promise<Agent> {
  const agent = await tx.agents.find(caller.workspace_id, id);
  if (agent !== null) return agent;
  throw new ErrandError('not_found', `There is no agent ${JSON.stringify(id)}.`, {
    hint: say`${{ call: 'admin_list_agents' }} for names and ids.`,
  });
}

/** Refuses project scopes without a project: they would have no effect. */
function mustBeOfUse({ scopes, project_ids }: NewAgent): void {
  const vain = scopes.filter((scope) => PROJECT_SCOPES.has(scope));
  if (project_ids.length > 0 || vain.length === 0) return;
  const problem = `needs at least one for ${vain.join(', ')}`;
  throw new ErrandError('validation_error', say`${{ field: 'project_ids' }}: ${problem}.`, {
    hint: say`${{ call: 'admin_list_projects' }} for keys.`,
    details: { fields: [{ field: 'project_ids', problem }] },
  });
}

/** How many agents of one name a warning lists. */
const MAX_NAMESAKES = 5;

const latest = (tokens: readonly Token[]): number | null =>
  tokens.length === 0 || tokens.some(({ expires_at }) => expires_at === null)
    ? null
    : Math.max(...tokens.map(({ expires_at }) => expires_at ?? 0));

function rowOf(agent: Agent, owner: User | null, tokens: readonly Token[], now: number): AgentRow {
  const live = tokens.filter((token) => statusOf(token, now) === 'live');
  const working = live.length > 0 ? 'active' : 'no_live_token';
  return {
    ...agent,
    status: owner?.status === 'active' ? working : 'owner_blocked',
    live_tokens: live.length,
    expires_at: latest(live),
  };
}

export function createAgents({ ids, cursors, clock }: Ports) {
  async function withStatus({ tx, caller }: ReadWork, agent: Agent, tokens: readonly Token[]): Promise<AgentRow> {
    return rowOf(agent, await tx.users.find(caller.workspace_id, agent.owner_id), tokens, clock());
  }

  return {
    list: async (work: ReadWork, page: PageRequest): Promise<PageOf<AgentRow>> => {
      const { tx, caller } = work;
      const { rows, ...more } = await readPage(cursors, page, {
        name: `agents:${caller.workspace_id}`,
        read: (part) => tx.agents.list(caller.workspace_id, part),
      });
      const shown = rows.map(async (agent) =>
        withStatus(work, agent, await tx.tokens.ofAgent(caller.workspace_id, agent.id)),
      );
      return { rows: await Promise.all(shown), ...more };
    },

    show: async (work: ReadWork, id: AgentId): Promise<AgentDetails> => {
      const { tx, caller } = work;
      const agent = await findAgent(work, id);
      const tokens = await tx.tokens.ofAgent(caller.workspace_id, id);
      const grants = (await tx.agents.grants(caller.workspace_id, id)).map(async (grant) => ({
        ...grant,
        project_name: (await tx.projects.find(caller.workspace_id, grant.project_id))?.name ?? null,
      }));
      return {
        ...(await withStatus(work, agent, tokens)),
        claim: await tx.board.claimOfAgent(caller.workspace_id, id),
        grants: await Promise.all(grants),
        tokens: tokens.map((token) => ({ ...withoutHash(token), status: statusOf(token, clock()) })),
      };
    },

    /** Creates an agent; `namesakes` are the other agents that the same name finds. */
    create: async (
      work: WriteWork,
      fields: NewAgent,
    ): Promise<IssuedToken & { readonly agent: Agent; readonly namesakes: readonly Referent[] }> => {
      const { tx, caller } = work;
      const { name, owner_id = caller.user_id, scopes, can_complete, can_cancel } = fields;
      mustSuitAgents(scopes);
      mustBeOfUse(fields);
      mayHandOut(caller, scopes);
      await mustBeActiveUser(work, owner_id);
      const namesakes = await namesakesOf(work, 'agent', { name: name, most: MAX_NAMESAKES });

      const agent: Agent = {
        id: ids(),
        workspace_id: caller.workspace_id,
        owner_id,
        name,
        created_at: tx.now,
      };
      await tx.agents.insert(agent);
      const grants: Grant[] = [];
      for (const project_id of new Set(fields.project_ids)) {
        await findGrantable(work, project_id, owner_id);
        mayHandOutIn(caller, project_id, scopes);
        const grant: Grant = { agent_id: agent.id, project_id, scopes, can_complete, can_cancel };
        await tx.agents.putGrant(grant);
        grants.push(grant);
      }

      const issued = await issueToken(tx, ids, {
        workspace_id: caller.workspace_id,
        kind: 'agent',
        name,
        user_id: owner_id,
        agent_id: agent.id,
        scopes,
        // Grants are for team projects; the todo scopes reach the list of the agent's owner.
        acts_for: 'self',
        expires_at: expiryFor(caller, tx.now, { asked: fields.expires_in, otherwise: AGENT_TOKEN_LIFE }),
      });
      work.changed(null, { agent, grants, token: withoutHash(issued.token) });
      return { ...issued, agent, namesakes };
    },
  };
}
