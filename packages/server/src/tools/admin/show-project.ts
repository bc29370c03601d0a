import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';
import { projectSettings, settingsOf } from './project-fields.ts';

export const showProject = defineTool({
  name: 'show_project',
  title: 'Show a project',
  description: 'Shows the settings of a project, and the budgets that its runs are held to.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /projects/{project_id}',
  cli: { command: 'project show', positionals: ['project_id'] },
  input: z.object({ project_id: adminFields.project_id }),
  output: z.object({
    ...projectSettings,
    budgets: z
      .array(
        z.object({
          of: z.enum(['cost_usd', 'tokens', 'minutes']).describe('What is limited.'),
          most: z.number().describe('The most of it.'),
          limited: z.string().describe('For what: "a run", "a task" or "a day of the project".'),
        }),
      )
      .describe('Set in config.json.'),
  }),
  run: async ({ input, work, services }) => {
    const { project, limits } = await services.projects.show(work, input.project_id);
    return { ...settingsOf(project), budgets: limits.map(({ of, most, limited }) => ({ of, most, limited })) };
  },
});
