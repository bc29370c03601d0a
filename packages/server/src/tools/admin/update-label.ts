import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields, labelColor } from './fields.ts';

export const updateLabel = defineTool({
  name: 'update_label',
  title: 'Change a label',
  description: 'Gives a label of a project another name or color.',
  scope: 'admin',
  effect: 'update',
  idempotent: true,
  route: 'PATCH /projects/{project_id}/labels/{label_id}',
  cli: { command: 'label update', positionals: ['label_id'], flags: { project_id: 'project' } },
  input: z.object({
    project_id: adminFields.project_id,
    label_id: z.string().min(1).max(200).describe('The label, by name or id.'),
    name: adminFields.short_name.optional(),
    color: labelColor.optional().describe('Its color, such as #d73a4a.'),
  }),
  output: z.object({
    label_id: z.string().describe('Its id (UUID).'),
    name: z.string().describe('Its name.'),
  }),
  entity: (_input, { label_id }) => ({ kind: 'label', id: label_id }),
  run: async ({ input: { project_id, label_id, ...changes }, work, services }) => {
    const { id, name } = await services.labels.update(work, { project_id, label: label_id }, changes);
    return { label_id: id, name };
  },
});
