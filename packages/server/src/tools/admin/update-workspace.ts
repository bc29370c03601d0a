import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields, workspaceFields } from './fields.ts';

export const updateWorkspace = defineTool({
  name: 'update_workspace',
  title: 'Update the workspace',
  description:
    'Changes the name of the workspace, its guide for agents, or where the members of its projects are managed.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /workspace',
  cli: { command: 'workspace update', files: ['guide'] },
  input: z.object({
    name: adminFields.name.optional(),
    guide: adminFields.guide
      .optional()
      .describe(
        'The guide that every agent of the workspace reads: at most 20000 characters; an empty text removes it.',
      ),
    members: workspaceFields.members
      .optional()
      .describe('"external" if another system manages members: then agents cannot add any. "here" if Errand does.'),
  }),
  output: z.object(workspaceFields),
  entity: (_input, { workspace_id }) => ({ kind: 'workspace', id: workspace_id }),
  run: async ({ input, work, services }) => {
    const { id, name, guide, members } = await services.workspace.update(work, input);
    return { workspace_id: id, name, guide, members };
  },
});
