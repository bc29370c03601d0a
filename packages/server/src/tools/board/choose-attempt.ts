import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields, shortName, uuid } from './fields.ts';

export const chooseAttempt = defineTool({
  name: 'choose_attempt',
  title: 'Choose an attempt',
  description:
    'Goes on with one attempt at a task and archives the others: their runs are stopped, their follow-ups taken back, their folders removed. Their branches stay.',
  scope: 'board:run',
  effect: 'update',
  idempotent: true,
  mcp: false,
  route: 'POST /board/attempts/{attempt_id}/choice',
  input: z.object({ attempt_id: boardFields.attempt_id }),
  output: z.object({
    attempt_id: uuid('The chosen attempt (UUID).'),
    key: shortName('Its short name; null for none.'),
    archived: z
      .array(z.object({ attempt_id: uuid('Attempt (UUID).'), key: shortName('Its short name; null for none.') }))
      .describe('The attempts that were archived now.'),
  }),
  event: 'own',
  entity: ({ attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  run: async ({ input: { attempt_id }, work, services }) => {
    const { attempt, archived } = await services.board.siblings.choose(work, attempt_id);
    return {
      attempt_id: attempt.id,
      key: attempt.key,
      archived: archived.map(({ id, key }) => ({ attempt_id: id, key })),
    };
  },
});
