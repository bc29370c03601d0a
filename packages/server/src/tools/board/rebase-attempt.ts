import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields } from './fields.ts';
import { resolve, shipAnswer, shipOutput, shippedAttempt } from './ship-fields.ts';

export const rebaseAttempt = defineTool({
  name: 'rebase_attempt',
  title: 'Rebase an attempt',
  description: 'Puts the branch of an attempt on top of its target branch.',
  scope: 'board:merge',
  field_scopes: { resolve: 'board:run' },
  effect: 'update',
  outside: true,
  idempotent: true,
  route: 'POST /board/attempts/{attempt_id}/rebase',
  input: z.object({ attempt_id: boardFields.attempt_id, resolve }),
  output: z.object({
    ...shipOutput,
    // The contract has one answer for both tools.
    status: shipOutput.status.describe('merged: it stands on its target; or why not: conflicts or refused.'),
  }),
  event: 'own',
  entity: shippedAttempt,
  run: async ({ input, work, services }) => shipAnswer(await services.board.gitJobs.rebase(work, input)),
});
