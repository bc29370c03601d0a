import { say } from '#advice';
import type { Agent, Grant } from '#domain/agent';
import { milliseconds } from '#domain/duration';
import type { AgentId, ProjectId } from '#domain/ids';
import { refusal } from '#domain/refusal';
import type { Scope } from '#domain/scope';
import type { Token } from '#domain/token';
import { ErrandError } from '#errors';
import { AGENT_TOKEN_LIFE, findAgent, mustSuitAgents } from './agents.ts';
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
  withoutHash,
} from './tokens.ts';
import type { WriteWork } from './work.ts';

interface Rotation {
  readonly overlap: string;
  readonly expires_in?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
}

interface Rotated extends IssuedToken {
  /** The earlier tokens that were still valid, with their new expiry. */
  readonly earlier: readonly (Token & { readonly expires_at: number })[];
}

const liveTokens = async ({ tx, caller }: WriteWork, id: AgentId): Promise<readonly Token[]> =>
  (await tx.tokens.ofAgent(caller.workspace_id, id)).filter((token) => statusOf(token, tx.now) === 'live');

/** Refuses to grant a scope that no token of the agent holds: the grant would have no effect. */
function mustBeHeld(tokens: readonly Token[], scopes: readonly Scope[], agent: AgentId): void {
  const held = new Set(tokens.flatMap((token) => token.scopes));
  const missing = scopes.filter((scope) => !held.has(scope));
  if (missing.length === 0) return;
  const problem = `must be held by a live token of the agent, unlike ${missing.join(', ')}`;
  throw refusal(
    'scopes',
    problem,
    say`Give it a token with these scopes first: ${{ command: 'agent rotate' }} ${agent} --scopes …`,
  );
}

/** The grants of an agent, and its tokens. */
export function createAgentAccess({ ids }: Ports) {
  async function grantOf({ tx, caller }: WriteWork, agent: AgentId, project: ProjectId): Promise<Grant | null> {
    const grants = await tx.agents.grants(caller.workspace_id, agent);
    return grants.find(({ project_id }) => project_id === project) ?? null;
  }

  /** By default a new token has the scopes of the newest one. */
  async function scopesFor({ tx, caller }: WriteWork, { id }: Agent, asked?: readonly Scope[]) {
    const scopes = asked ?? (await tx.tokens.ofAgent(caller.workspace_id, id)).at(-1)?.scopes;
    if (scopes !== undefined) return scopes;
    throw refusal('scopes', 'the agent has had no token yet, so say what this one may do');
  }

  return {
    grant: async (work: WriteWork, grant: Grant): Promise<void> => {
      const { tx, caller, changed } = work;
      const { owner_id } = await findAgent(work, grant.agent_id);
      await findGrantable(work, grant.project_id, owner_id);
      mustSuitAgents(grant.scopes);
      mayHandOutIn(caller, grant.project_id, grant.scopes);
      mustBeHeld(await liveTokens(work, grant.agent_id), grant.scopes, grant.agent_id);

      const before = await grantOf(work, grant.agent_id, grant.project_id);
      await tx.agents.putGrant(grant);
      changed(before, grant);
    },

    ungrant: async (work: WriteWork, agent: AgentId, project: ProjectId): Promise<void> => {
      await findAgent(work, agent);
      const before = await grantOf(work, agent, project);
      if (before === null) {
        throw new ErrandError('not_found', `The agent has no grant for project ${project}.`, {
          hint: say`${{ call: 'admin_show_agent' }} for its grants.`,
        });
      }
      await work.tx.agents.removeGrant(work.caller.workspace_id, agent, project);
      work.changed(before, null);
    },

    rotate: async (
      work: WriteWork,
      id: AgentId,
      { overlap, expires_in, scopes: asked }: Rotation,
    ): Promise<Rotated> => {
      const { tx, caller } = work;
      const agent = await findAgent(work, id);
      await mustBeActiveUser(work, agent.owner_id);
      const scopes = await scopesFor(work, agent, asked);
      mustSuitAgents(scopes);
      mayHandOut(caller, scopes);
      // A person who reads the new token can do whatever the agent may do.
      for (const grant of await tx.agents.grants(caller.workspace_id, id)) {
        mayHandOutIn(
          caller,
          grant.project_id,
          grant.scopes.filter((scope) => scopes.includes(scope)),
        );
      }

      const before = await liveTokens(work, id);
      const end = tx.now + milliseconds(overlap);
      const earlier = before.map((token) => ({ ...token, expires_at: Math.min(end, token.expires_at ?? end) }));
      for (const token of before) await tx.tokens.expireBy(caller.workspace_id, token.id, end);
      const issued = await issueToken(tx, ids, {
        workspace_id: caller.workspace_id,
        kind: 'agent',
        name: agent.name,
        user_id: agent.owner_id,
        agent_id: id,
        scopes,
        acts_for: 'self',
        expires_at: expiryFor(caller, tx.now, { asked: expires_in, otherwise: AGENT_TOKEN_LIFE }),
      });
      work.changed(before.map(withoutHash), [...earlier, issued.token].map(withoutHash));
      return { ...issued, earlier };
    },

    /** Revokes every token of the agent. Returns how many were still valid. */
    revoke: async (work: WriteWork, id: AgentId): Promise<number> => {
      const { tx, caller } = work;
      await findAgent(work, id);
      const tokens = await tx.tokens.ofAgent(caller.workspace_id, id);
      // Expired ones too: a clock that is set back would make them valid again.
      const before = tokens.filter(({ revoked_at }) => revoked_at === null);
      for (const token of before) await tx.tokens.revoke(caller.workspace_id, token.id, tx.now);
      work.changed(
        before.map(withoutHash),
        before.map((token) => withoutHash({ ...token, revoked_at: tx.now })),
      );
      return before.filter((token) => statusOf(token, tx.now) === 'live').length;
    },
  };
}
