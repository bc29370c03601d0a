import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const removeMember = defineTool({
  name: 'remove_member',
  title: 'Remove a member',
  description:
    'Removes a user from a project: their tokens no longer reach it, and its tasks are no longer assigned to them.',
  scope: 'admin',
  effect: 'delete',
  route: 'DELETE /projects/{project_id}/members/{user_id}',
  cli: { command: 'member remove', positionals: ['user_id'], flags: { project_id: 'project' } },
  input: z.object({ project_id: adminFields.project_id, user_id: adminFields.user_id }),
  output: z.object({
    project_id: z.string().describe('The id of the project (UUID).'),
    user_id: z.string().describe('The id of the user (UUID).'),
    status: z.literal('removed').describe('Always "removed".'),
  }),
  event: 'updated',
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input: { project_id, user_id }, work, services }) => {
    await services.members.remove(work, project_id, user_id);
    return { project_id, user_id, status: 'removed' as const };
  },
});
