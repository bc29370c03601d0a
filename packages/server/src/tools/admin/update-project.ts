import { z } from 'zod';
import { CompletionGate } from '#domain/project';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const updateProject = defineTool({
  name: 'update_project',
  title: 'Update a project',
  description:
    'Changes the name of a project, its key, its card guide, or its completion gate. A former key still finds it.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /projects/{project_id}',
  cli: { command: 'project update', positionals: ['project_id'], files: ['card_guide'] },
  input: z.object({
    project_id: adminFields.project_id,
    name: adminFields.name.optional(),
    key: adminFields.key.optional(),
    card_guide: adminFields.guide
      .optional()
      .describe(
        'Tells agents how to write the cards of this project: at most 20000 characters; an empty text removes it.',
      ),
    completion_gate: CompletionGate.optional().describe(
      '"checkers": a task with an open checker item cannot be completed. "none": it can.',
    ),
  }),
  output: z.object({
    project_id: z.string().describe('The id of the project (UUID).'),
    name: z.string().describe('The name of the project.'),
    key: z.string().nullable().describe('Its key; null for the todo list of an app’s user.'),
    card_guide: z.string().nullable().describe('How cards are to be written here; null for no guide.'),
    completion_gate: CompletionGate.describe(
      '"checkers" if a task with open checker items cannot be completed, else "none".',
    ),
  }),
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input: { project_id, ...changes }, work, services }) => {
    const { name, key, card_guide, completion_gate } = await services.projects.update(work, project_id, changes);
    return { project_id, name, key, card_guide, completion_gate };
  },
});
