import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { adminFields } from './fields.ts';

export const listLabels = defineTool({
  name: 'list_labels',
  title: 'List labels',
  description: 'Lists the labels of a project.',
  scope: 'admin',
  effect: 'read',
  route: 'GET /projects/{project_id}/labels',
  cli: { command: 'label list', flags: { project_id: 'project' } },
  input: z.object({ project_id: adminFields.project_id, ...pageInput }),
  output: z.object({
    labels: z
      .array(
        z.object({
          label_id: z.string().describe('The id of the label (UUID).'),
          name: z.string().describe('The name of the label.'),
          color: z.string().nullable().describe('Its color, such as #d73a4a; null for none.'),
        }),
      )
      .describe('The labels, in the order in which they were added.'),
    ...pageOutput,
  }),
  run: async ({ input: { project_id, ...page }, work, services }) => {
    const { rows, ...more } = await services.labels.list(work, project_id, page);
    return { labels: rows.map(({ id, name, color }) => ({ label_id: id, name, color })), ...more };
  },
});
