import { z } from 'zod';
import { RunId } from '#domain/ids';
import { defineTool } from '#tools/define';
import { boardFields, uuid } from './fields.ts';

export const stopAttempt = defineTool({
  name: 'stop_attempt',
  title: 'Stop an attempt',
  description: 'Ends the run of an attempt and takes back waiting follow-ups. What was changed stays on the branch.',
  scope: 'board:run',
  effect: 'update',
  idempotent: true,
  route: 'POST /board/attempts/{attempt_id}/stop',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    execution_id: RunId.optional().describe('Only the run with this id; follow-ups stay.'),
  }),
  output: z.object({
    attempt_id: uuid('Attempt (UUID).'),
    stopping: z
      .boolean()
      .describe('Whether a run is being ended; false when nothing ran, or another run than execution_id.'),
    cancelled: z.int().describe('Follow-ups taken back.'),
  }),
  event: 'own',
  entity: ({ attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  run: ({ input, work, services }) => services.board.attempts.stop(work, input),
});
