import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const removeProject = defineTool({
  name: 'remove_project',
  title: 'Remove a project',
  description:
    'Removes a project for good, with its labels, states, members, grants and links to repositories, and with its tasks if you agree to that. Refused if agents have worked in the project, because the history of runs is kept.',
  scope: 'admin',
  effect: 'delete',
  route: 'DELETE /projects/{project_id}',
  cli: { command: 'project remove', positionals: ['project_id'] },
  input: z.object({
    project_id: adminFields.project_id,
    yes: z.boolean().default(false).describe('Whether its tasks may go with it; no unless given.'),
  }),
  output: z.object({
    project_id: z.string().describe('The id that the project had (UUID).'),
    name: z.string().describe('Its name.'),
    removed_tasks: z.int().describe('How many tasks went with it.'),
    status: z.literal('removed').describe('Always "removed".'),
  }),
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input: { project_id, yes }, work, services }) => {
    const { name, tasks } = await services.projects.remove(work, project_id, yes);
    return { project_id, name, removed_tasks: tasks, status: 'removed' as const };
  },
});
