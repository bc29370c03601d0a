import { z } from 'zod';
import { Scope } from '#domain/scope';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const grantAgent = defineTool({
  name: 'grant_agent',
  title: 'Grant a project to an agent',
  description:
    'Sets what an agent may do in one project; this replaces an earlier grant. A scope works only if the token of the agent has it too.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'POST /agents/{agent_id}/grants',
  cli: { command: 'agent grant', positionals: ['agent_id'], flags: { project_id: 'project' } },
  input: z.object({
    agent_id: adminFields.agent_id,
    project_id: adminFields.project_id,
    scopes: adminFields.scopes.describe(
      'What the agent may do there: one or more scopes that one of its live tokens has.',
    ),
    can_complete: adminFields.can_complete,
    can_cancel: adminFields.can_cancel,
  }),
  output: z.object({
    agent_id: z.string().describe('The id of the agent (UUID).'),
    project_id: z.string().describe('The id of the project (UUID).'),
    scopes: z.array(Scope).describe('What it may do there now.'),
    can_complete: z.boolean().describe('Whether it may move work to a completed state.'),
    can_cancel: z.boolean().describe('Whether it may move work to a cancelled state.'),
  }),
  entity: ({ agent_id }) => ({ kind: 'agent', id: agent_id }),
  run: async ({ input: { agent_id, project_id, scopes, can_complete, can_cancel }, work, services }) => {
    const grant = { agent_id, project_id, scopes, can_complete, can_cancel };
    await services.agentAccess.grant(work, grant);
    return grant;
  },
});
