import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const ungrantAgent = defineTool({
  name: 'ungrant_agent',
  title: 'Take a project from an agent',
  description: 'Removes the grant of an agent for one project, at once. Its tokens still work in other projects.',
  scope: 'admin',
  effect: 'delete',
  route: 'DELETE /agents/{agent_id}/grants/{project_id}',
  cli: { command: 'agent ungrant', positionals: ['agent_id'], flags: { project_id: 'project' } },
  input: z.object({ agent_id: adminFields.agent_id, project_id: adminFields.project_id }),
  output: z.object({
    agent_id: z.string().describe('The id of the agent (UUID).'),
    project_id: z.string().describe('The id of the project (UUID).'),
    status: z.literal('removed').describe('Always "removed".'),
  }),
  event: 'updated',
  entity: ({ agent_id }) => ({ kind: 'agent', id: agent_id }),
  run: async ({ input: { agent_id, project_id }, work, services }) => {
    await services.agentAccess.ungrant(work, agent_id, project_id);
    return { agent_id, project_id, status: 'removed' as const };
  },
});
