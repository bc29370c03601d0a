import type { Agent } from '#domain/agent';
import type { AgentId, ProjectId, UserId } from '#domain/ids';
import { NEVER_FOR_AGENTS, type Scope } from '#domain/scope';
import { ErrandError } from '#errors';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { expiryFor, type IssuedToken, issueToken, mayHandOut } from './tokens.ts';
import type { ReadWork, WriteWork } from './work.ts';

interface NewAgent {
  readonly name: string;
  readonly owner_id: UserId;
  readonly project_ids: readonly ProjectId[];
  readonly scopes: readonly Scope[];
  readonly can_complete: boolean;
  readonly can_cancel: boolean;
  readonly expires_in?: string | undefined;
}

const DEFAULT_LIFE = '90d';

export function createAgents({ ids, cursors }: Ports) {
  return {
    list: ({ tx, caller }: ReadWork, page: PageRequest): Promise<PageOf<Agent>> =>
      readPage(cursors, page, {
        name: `agents:${caller.workspace_id}`,
        read: (part) => tx.agents.list(caller.workspace_id, part),
      }),

    create: async ({ tx, caller }: WriteWork, fields: NewAgent): Promise<IssuedToken & { readonly agent: Agent }> => {
      const refused = fields.scopes.filter((scope) => NEVER_FOR_AGENTS.has(scope));
      if (refused.length > 0) {
        throw new ErrandError('validation_error', `scopes: no agent may hold ${refused.join(', ')}.`);
      }
      mayHandOut(caller, fields.scopes);
      if ((await tx.users.find(caller.workspace_id, fields.owner_id)) === null) {
        throw new ErrandError('not_found', `No user ${fields.owner_id}.`, { hint: 'List the users for their ids.' });
      }

      const agent: Agent = {
        id: ids() as AgentId,
        workspace_id: caller.workspace_id,
        owner_id: fields.owner_id,
        name: fields.name,
        created_at: tx.now,
      };
      await tx.agents.insert(agent);
      for (const project_id of new Set(fields.project_ids)) {
        if ((await tx.projects.find(caller.workspace_id, project_id)) === null) {
          throw new ErrandError('not_found', `No project ${project_id}.`, { hint: 'List the projects for their ids.' });
        }
        const { scopes, can_complete, can_cancel } = fields;
        await tx.agents.putGrant({ agent_id: agent.id, project_id, scopes, can_complete, can_cancel });
      }

      const issued = await issueToken(tx, ids, {
        workspace_id: caller.workspace_id,
        kind: 'agent',
        name: fields.name,
        user_id: fields.owner_id,
        agent_id: agent.id,
        scopes: fields.scopes,
        // Grants are for projects of the team; the todo scopes reach the list of its owner.
        acts_for: 'self',
        expires_at: expiryFor(caller, tx.now, fields.expires_in, DEFAULT_LIFE),
      });
      return { ...issued, agent };
    },
  };
}
