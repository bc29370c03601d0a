import { z } from 'zod';
import { Liveness } from '#domain/run';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { executionBody, executionFields } from './fields.ts';
import { executionOf } from './present.ts';

export const listExecutions = defineTool({
  name: 'list_executions',
  title: 'List executions',
  description:
    'Lists the runs that you may see, newest first: your own, and those of projects whose issues you may read.',
  scope: 'execution:report',
  effect: 'read',
  mcp: false,
  route: 'GET /executions',
  input: z.object({
    status: executionFields.status.optional().describe('Only those in this status.'),
    liveness: Liveness.optional().describe(
      'Only runs that have not ended and have this liveness: "stalled" finds runs that hang.',
    ),
    project_id: executionFields.project_id.optional().describe('Only those of this project, by id.'),
    work_item_id: executionFields.work_item_id
      .optional()
      .describe('Only those that work on this task or issue, by id.'),
    ...pageInput,
  }),
  output: z.object({
    executions: z
      .array(executionBody.omit({ summary: true, usage: true }))
      .describe('The executions, newest first; `get_execution` shows the result of one.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.runs.list(work, input);
    return { executions: rows.map(executionOf), ...more };
  },
});
