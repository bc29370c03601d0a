import { z } from 'zod';
import { CompletionGate } from '#domain/project';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const updateProject = defineTool({
  name: 'update_project',
  title: 'Update a project',
  description: 'Changes the name of a project, its card guide, or what must be done before its work is completed.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /projects/{project_id}',
  cli: { command: 'project update', positionals: ['project_id'], files: ['card_guide'] },
  input: z.object({
    project_id: adminFields.project_id,
    name: adminFields.name.optional(),
    card_guide: adminFields.guide
      .optional()
      .describe('How cards are to be written here, for agents: at most 20000 characters; empty for none.'),
    completion_gate: CompletionGate.optional().describe(
      '"checkers" to keep work from being completed while a checker item of it is open, or "none".',
    ),
  }),
  output: z.object({
    project_id: z.string().describe('The id of the project (UUID).'),
    name: z.string().describe('The name of the project.'),
    card_guide: z.string().nullable().describe('How cards are to be written here; null for no guide.'),
    completion_gate: CompletionGate.describe('What must be done before work is completed: "none" or "checkers".'),
  }),
  entity: ({ project_id }) => ({ kind: 'project', id: project_id }),
  run: async ({ input: { project_id, ...changes }, work, services }) => {
    const { name, card_guide, completion_gate } = await services.projects.update(work, project_id, changes);
    return { project_id, name, card_guide, completion_gate };
  },
});
