import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339OrNull } from '#tools/time';
import { adminFields, issuedToken } from './fields.ts';

export const createAgent = defineTool({
  name: 'create_agent',
  title: 'Create an agent',
  description:
    'Creates an agent that works for a user in some projects, with its first token. The token is shown once.',
  scope: 'admin',
  effect: 'create',
  secret: true,
  route: 'POST /agents',
  cli: {
    command: 'agent create',
    positionals: ['name'],
    flags: { owner_id: 'owner', project_ids: 'project', expires_in: 'expires' },
  },
  input: z.object({
    name: adminFields.name,
    owner_id: adminFields.user_id
      .optional()
      .describe('The user that the agent works for, by id or name. Default: you.'),
    project_ids: z
      .array(adminFields.project_id)
      .default([])
      .describe(
        'The projects that the agent may work in, by id or name. At least one, unless no scope belongs to a project.',
      ),
    scopes: adminFields.scopes,
    can_complete: adminFields.can_complete,
    can_cancel: adminFields.can_cancel,
    expires_in: adminFields.expires_in.optional().describe('How long its token works, such as 30d. Default: 90d.'),
  }),
  output: z.object({
    agent_id: z.string().describe('The id of the agent (UUID).'),
    ...issuedToken,
    warning: z.string().optional().describe('Says that other agents have the same name; left out if none has.'),
  }),
  entity: (_input, { agent_id }) => ({ kind: 'agent', id: agent_id }),
  run: async ({ input, work, services }) => {
    const { agent, token, secret, namesakes } = await services.agents.create(work, input);
    const others = namesakes.map(({ id }) => id).join(', ');
    return {
      agent_id: agent.id,
      token_id: token.id,
      token: secret,
      expires_at: rfc3339OrNull(token.expires_at),
      ...(others !== '' && {
        warning: `The name ${JSON.stringify(agent.name)} means several agents now, so name them by id. It is also: ${others}.`,
      }),
    };
  },
});
