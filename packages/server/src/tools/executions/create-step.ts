import { z } from 'zod';
import { defineTool } from '#tools/define';
import { executionFields, stepBody } from './fields.ts';
import { checkStatus, stepOf } from './present.ts';

export const createStep = defineTool({
  name: 'create_step',
  title: 'Create a step',
  description:
    'Tells people what you are doing: creates a step of your run and answers its step_id for update_step. Call it when you begin something that takes a while. execution_id is the environment variable NOVA_EXECUTION_ID (read it with: echo $NOVA_EXECUTION_ID).',
  scope: 'execution:report',
  effect: 'create',
  envelope: 'Step created',
  always_load: true,
  route: 'POST /executions/{execution_id}/steps',
  lane: 'execution_id',
  precheck: checkStatus,
  input: z.object({
    execution_id: executionFields.execution_id,
    step_name: executionFields.step_name,
    message: executionFields.message.optional(),
    status: executionFields.step_status.optional().describe('Where it stands already; running unless given.'),
  }),
  recheck: ({ input, work, services }) => services.runs.recheck(work, input.execution_id),
  output: stepBody,
  event: 'own',
  entity: (_input, { step_id }) => ({ kind: 'step', id: step_id }),
  report: ({ execution_id, step_name, message, status = 'running' }, manager) =>
    manager.createStep(execution_id, { step_name, message, status }),
  run: async ({ input: { execution_id, step_name, message, status }, work, services }) =>
    stepOf(await services.runs.createStep(work, execution_id, { step_name, message, status })),
});
