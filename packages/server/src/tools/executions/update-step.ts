import { z } from 'zod';
import { defineTool } from '#tools/define';
import { executionFields, stepBody } from './fields.ts';
import { checkChange, stepOf } from './present.ts';

export const updateStep = defineTool({
  name: 'update_step',
  title: 'Update a step',
  description:
    'Reports a step of your run: give status, message or both. Call it when either changes, and always when the step ends. execution_id is the environment variable NOVA_EXECUTION_ID.',
  scope: 'execution:report',
  effect: 'update',
  idempotent: true,
  envelope: 'Step updated',
  always_load: true,
  route: 'PATCH /executions/{execution_id}/steps/{step_id}',
  lane: 'execution_id',
  precheck: checkChange,
  input: z.object({
    execution_id: executionFields.execution_id,
    step_id: executionFields.step_id,
    status: executionFields.step_status.optional().describe('Where it stands now.'),
    message: executionFields.message.optional(),
  }),
  recheck: ({ input, work, services }) => services.runs.recheck(work, input.execution_id),
  output: stepBody,
  event: 'own',
  entity: ({ step_id }) => ({ kind: 'step', id: step_id }),
  report: ({ execution_id, step_id, status, message }, manager) =>
    manager.patchStep(execution_id, step_id, { status, message }),
  run: async ({ input: { execution_id, step_id, status, message }, work, services }) =>
    stepOf(await services.runs.updateStep(work, { execution_id, step_id }, { status, message })),
});
