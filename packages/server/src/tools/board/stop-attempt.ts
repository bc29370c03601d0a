import { z } from 'zod';
import { ExecutionId } from '#domain/ids';
import { defineTool } from '#tools/define';
import { boardFields, uuid } from './fields.ts';

export const stopAttempt = defineTool({
  name: 'stop_attempt',
  title: 'Stop an attempt',
  description:
    'Ends the run of an attempt, with all that the agent has started, and takes back the follow-ups that wait. What was changed stays on the branch.',
  scope: 'board:run',
  effect: 'update',
  idempotent: true,
  route: 'POST /board/attempts/{attempt_id}/stop',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    execution_id: ExecutionId.optional().describe(
      'Only this run, by id (UUID): it is ended if it still goes on, and what waits stays.',
    ),
  }),
  output: z.object({
    attempt_id: uuid('The attempt (UUID).'),
    stopping: z
      .boolean()
      .describe(
        'Whether there was a run to end: it has ended within seconds. False when nothing ran, or another run than execution_id.',
      ),
    cancelled: z.int().describe('How many waiting follow-ups were taken back.'),
  }),
  entity: ({ attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  run: ({ input, work, services }) => services.board.attempts.stop(work, input),
});
