import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { projectAnswer, projectOf } from './present.ts';

export const taskerListProjects = defineTool({
  name: 'tasker_list_projects',
  title: 'List granted projects',
  description: 'Lists the projects that you may read.',
  scope: 'project:read',
  effect: 'read',
  route: 'GET /tasker/projects',
  input: z.object({
    ...pageInput,
    limit: pageInput.limit.describe('At most so many projects, 1 to 200.'),
  }),
  output: z.object({
    projects: z.array(projectAnswer).describe('The projects.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.tasker.projects.list(work, input);
    return { projects: rows.map(projectOf), ...more };
  },
});
