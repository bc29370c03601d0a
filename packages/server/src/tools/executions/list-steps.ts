import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { executionFields, stepBody } from './fields.ts';
import { stepOf } from './present.ts';

export const listSteps = defineTool({
  name: 'list_steps',
  title: 'List the steps of an execution',
  description: 'Lists the steps of a run in the order in which they were created.',
  scope: 'execution:report',
  effect: 'read',
  mcp: false,
  route: 'GET /executions/{execution_id}/steps',
  input: z.object({ execution_id: executionFields.execution_id, ...pageInput }),
  output: z.object({ steps: z.array(stepBody).describe('The steps, the first one first.'), ...pageOutput }),
  run: async ({ input: { execution_id, ...page }, work, services }) => {
    const { rows, ...more } = await services.runs.steps(work, execution_id, page);
    return { steps: rows.map(stepOf), ...more };
  },
});
