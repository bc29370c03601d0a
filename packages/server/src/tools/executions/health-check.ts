import { z } from 'zod';
import { defineTool } from '#tools/define';
import { healthBody } from './fields.ts';

export const healthCheck = defineTool({
  name: 'health_check',
  title: 'Check the Task Manager',
  description: 'Says whether reports are taken, and how the Task Manager is reached.',
  scope: 'execution:report',
  effect: 'read',
  envelope: 'Task Manager is healthy',
  route: 'GET /health',
  input: z.object({}),
  output: healthBody,
  report: (_input, manager) => manager.checkHealth(),
  run: async ({ work, services }) => {
    await services.runs.check(work);
    return { status: 'healthy' as const, client: 'in_process' as const };
  },
});
