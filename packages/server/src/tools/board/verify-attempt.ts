import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields, uuid } from './fields.ts';

export const verifyAttempt = defineTool({
  name: 'verify_attempt',
  title: 'Check an attempt again',
  description:
    'Runs the checks of an attempt once more, without its agent. get_attempt answers the verdict when they have ended.',
  scope: 'board:run',
  effect: 'create',
  mcp: false,
  route: 'POST /board/attempts/{attempt_id}/checks',
  input: z.object({ attempt_id: boardFields.attempt_id }),
  output: z.object({
    attempt_id: uuid('Attempt (UUID).'),
    execution_id: uuid('The run of the checks (UUID).'),
  }),
  event: 'own',
  entity: ({ attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  run: ({ input: { attempt_id }, work, services }) => services.board.attempts.verify(work, attempt_id),
});
