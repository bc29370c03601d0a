import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const addProject = defineTool({
  name: 'add_project',
  title: 'Add a project',
  description:
    'Adds a project with the usual states (todo, in progress, review, done, cancelled) and you as its first member.',
  scope: 'admin',
  effect: 'create',
  route: 'POST /projects',
  cli: { command: 'project add', positionals: ['name'], files: ['card_guide'] },
  input: z.object({
    name: adminFields.name,
    key: adminFields.key.optional(),
    card_guide: adminFields.guide
      .optional()
      .describe('Tells agents how to write the cards of this project: at most 20000 characters.'),
  }),
  output: z.object({
    project_id: z.string().describe('The id of the project (UUID).'),
    key: z.string().describe('Its key.'),
    warning: z.string().optional().describe('Says that other projects have the same name; left out if none has.'),
  }),
  entity: (_input, { project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input, work, services }) => {
    const { project, namesakes } = await services.projects.add(work, input);
    const others = namesakes.map(({ id }) => id).join(', ');
    return {
      project_id: project.id,
      // A team's project always has one.
      key: project.key ?? '',
      ...(others !== '' && {
        warning: `The name ${JSON.stringify(project.name)} means several projects now, so name them by id. It is also: ${others}.`,
      }),
    };
  },
});
