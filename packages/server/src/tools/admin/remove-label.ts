import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields } from './fields.ts';

export const removeLabel = defineTool({
  name: 'remove_label',
  title: 'Remove a label',
  description: 'Removes a label from a project, and from the tasks that have it.',
  scope: 'admin',
  effect: 'delete',
  route: 'DELETE /projects/{project_id}/labels/{label_id}',
  cli: { command: 'label remove', positionals: ['label_id'], flags: { project_id: 'project' } },
  input: z.object({
    project_id: adminFields.project_id,
    label_id: z.string().min(1).max(200).describe('The label, by name or id.'),
  }),
  output: z.object({
    label_id: z.string().describe('Its id (UUID).'),
    name: z.string().describe('Its name.'),
  }),
  entity: (_input, { label_id }) => ({ kind: 'label', id: label_id }),
  run: async ({ input: { project_id, label_id }, work, services }) => {
    const { id, name } = await services.labels.remove(work, { project_id, label: label_id });
    return { label_id: id, name };
  },
});
