import { z } from 'zod';
import { defineTool } from '#tools/define';
import { executionBody, executionFields } from './fields.ts';
import { executionOf } from './present.ts';

export const getExecution = defineTool({
  name: 'get_execution',
  title: 'Read an execution',
  description: 'Answers one run: its status, its session, and the time of its last report.',
  scope: 'execution:report',
  effect: 'read',
  mcp: false,
  route: 'GET /executions/{execution_id}',
  input: z.object({ execution_id: executionFields.execution_id }),
  output: executionBody,
  run: async ({ input, work, services }) => executionOf(await services.runs.get(work, input.execution_id)),
});
