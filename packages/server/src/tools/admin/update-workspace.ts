import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields, workspaceFields } from './fields.ts';

export const updateWorkspace = defineTool({
  name: 'update_workspace',
  title: 'Update the workspace',
  description:
    'Changes the name of the workspace, what every agent in it is told, or where the members of its projects are managed.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /workspace',
  cli: { command: 'workspace update', files: ['guide'] },
  input: z.object({
    name: adminFields.name.optional(),
    guide: adminFields.guide
      .optional()
      .describe('What every agent of the workspace is told: at most 20000 characters; empty for nothing.'),
    members: workspaceFields.members
      .optional()
      .describe('"external" when another system manages members: agents can then add none. "here" takes that back.'),
  }),
  output: z.object(workspaceFields),
  entity: (_input, { workspace_id }) => ({ kind: 'workspace', id: workspace_id }),
  run: async ({ input, work, services }) => {
    const { id, name, guide, members } = await services.workspace.update(work, input);
    return { workspace_id: id, name, guide, members };
  },
});
