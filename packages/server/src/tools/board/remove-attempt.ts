import { z } from 'zod';
import { defineTool } from '#tools/define';
import { boardFields, uuid } from './fields.ts';

export const removeAttempt = defineTool({
  name: 'remove_attempt',
  title: 'Remove the folders of an attempt',
  description:
    'Removes the folders of an attempt from the machine that runs it. Branch, history and what is nowhere else stay.',
  scope: 'board:run',
  effect: 'update',
  idempotent: true,
  destructive: true,
  route: 'POST /board/attempts/{attempt_id}/remove',
  input: z.object({ attempt_id: boardFields.attempt_id }),
  output: z.object({
    attempt_id: uuid('Attempt (UUID).'),
    folders: z
      .enum(['none', 'removal_requested'])
      .describe('What comes of it: "removal_requested" (see get_attempt), or "none" when there are no folders.'),
  }),
  event: 'own',
  entity: ({ attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  run: async ({ input: { attempt_id }, work, services }) => {
    const isRequested = await services.board.attempts.removeFolders(work, attempt_id);
    return { attempt_id, folders: isRequested ? ('removal_requested' as const) : ('none' as const) };
  },
});
