import { z } from 'zod';
import { defineTool } from '#tools/define';
import { executionBody, executionFields } from './fields.ts';
import { executionOf } from './present.ts';

export const createExecution = defineTool({
  name: 'create_execution',
  title: 'Create an execution',
  description:
    'Creates a run that an agent reports. Start the agent with its id in the NOVA_EXECUTION_ID environment variable.',
  scope: 'execution:report',
  effect: 'create',
  mcp: false,
  project: 'project_id',
  route: 'POST /executions',
  input: z.object({
    name: executionFields.name.optional(),
    project_id: executionFields.project_id
      .optional()
      .describe('The project of the run, by id. Default: that of the work item, or none.'),
    work_item_id: executionFields.work_item_id.optional().describe('The task or issue it works on, by id.'),
  }),
  output: executionBody,
  event: 'own',
  entity: (_input, { id }) => ({ kind: 'execution', id }),
  run: async ({ input, work, services }) => executionOf(await services.runs.create(work, input)),
});
