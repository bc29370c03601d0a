import { z } from 'zod';
import { MergeMode } from '#domain/git-job';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { boardFields } from './fields.ts';
import { resolve, shipAnswer, shipOutput, shippedAttempt } from './ship-fields.ts';

export const mergeAttempt = defineTool({
  name: 'merge_attempt',
  title: 'Merge an attempt',
  description:
    'Merges the branch of an attempt into its target branch, in all of its repositories or none. Conflicts are answered before anything changes.',
  scope: 'board:merge',
  field_scopes: { resolve: 'board:run' },
  effect: 'update',
  outside: true,
  idempotent: true,
  route: 'POST /board/attempts/{attempt_id}/merge',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    mode: MergeMode.optional().describe('merge, squash or rebase; that of the project unless given.'),
    message: text(1, 10_000).optional().describe('Commit message, instead of the usual one.'),
    resolve,
  }),
  output: z.object(shipOutput),
  event: 'own',
  entity: shippedAttempt,
  run: async ({ input, work, services }) => shipAnswer(await services.board.gitJobs.merge(work, input)),
});
