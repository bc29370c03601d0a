import { z } from 'zod';
import { defineTool } from '#tools/define';
import { adminFields, labelColor } from './fields.ts';

export const addLabel = defineTool({
  name: 'add_label',
  title: 'Add a label',
  description: 'Adds a label to a project.',
  scope: 'admin',
  effect: 'create',
  route: 'POST /projects/{project_id}/labels',
  cli: { command: 'label add', positionals: ['name'], flags: { project_id: 'project' } },
  input: z.object({
    project_id: adminFields.project_id,
    name: adminFields.short_name,
    color: labelColor.optional().describe('Its color, such as #d73a4a; none unless given.'),
  }),
  output: z.object({ label_id: z.string().describe('The id of the label (UUID).') }),
  entity: (_input, { label_id }) => ({ kind: 'label', id: label_id }),
  run: async ({ input: { project_id, name, color }, work, services }) => {
    const label = await services.labels.add(work, { project_id, name, color: color ?? null });
    return { label_id: label.id };
  },
});
