import { z } from 'zod';
import { CompletionGate } from '#domain/project';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects of the workspace, with the todo lists of its users.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /projects',
  cli: { command: 'project list' },
  input: z.object(pageInput),
  output: z.object({
    projects: z
      .array(
        z.object({
          project_id: z.string().describe('The id of the project (UUID).'),
          key: z.string().nullable().describe('Begins the keys of its tasks, such as WEB in WEB-12; null for none.'),
          name: z.string().describe('The name of the project.'),
          kind: z.enum(['team', 'personal']).describe('"team", or "personal" for the todo list of a user.'),
          owner_id: z.string().nullable().describe('Whose todo list it is (UUID); null for a project of the team.'),
          completion_gate: CompletionGate.describe('"checkers" if a task with open checker items cannot be completed.'),
        }),
      )
      .describe('The projects, in the order in which they were added.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.projects.list(work, input);
    return {
      projects: rows.map(({ id, ...project }) => ({ ...project, project_id: id })),
      ...more,
    };
  },
});
