import { z } from 'zod';
import { defineTool } from '#tools/define';
import { executionBody, executionFields } from './fields.ts';
import { executionOf } from './present.ts';

export const updateExecutionSession = defineTool({
  name: 'update_execution_session',
  title: 'Register your session',
  description:
    'Registers your session, so that people can follow this run and resume it. Call it once, at the start. execution_id is the environment variable NOVA_EXECUTION_ID (read it with: echo $NOVA_EXECUTION_ID). session_id is your own: from the skill tool if you have one, else from your environment, such as CLAUDE_CODE_SESSION_ID.',
  scope: 'execution:report',
  effect: 'update',
  idempotent: true,
  envelope: 'Session registered',
  always_load: true,
  route: 'PUT /executions/{execution_id}/session',
  input: z.object({
    execution_id: executionFields.execution_id,
    session_id: executionFields.session_id.describe('Your own session id, in any form: 1 to 200 characters.'),
  }),
  recheck: ({ input, work, services }) => services.runs.recheck(work, input.execution_id),
  output: executionBody,
  event: 'own',
  entity: ({ execution_id }) => ({ kind: 'execution', id: execution_id }),
  report: ({ execution_id, session_id }, manager) => manager.patchExecution(execution_id, { session_id }),
  run: async ({ input: { execution_id, session_id }, work, services }) =>
    executionOf(await services.runs.update(work, execution_id, { session_id })),
});
