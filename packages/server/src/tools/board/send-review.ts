import { z } from 'zod';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { MAX_COMMENT_CHARACTERS } from './add-review-comment.ts';
import { boardFields, uuid } from './fields.ts';

const WAITS =
  'It joins the next run that another one starts: starting one needs the scope board:run, which you do not have there.';

export const sendReview = defineTool({
  name: 'send_review',
  title: 'Send a review',
  description: 'Sends all unsent comments to the agent as one follow-up.',
  scope: 'board:write',
  effect: 'update',
  open_world: true,
  route: 'POST /board/attempts/{attempt_id}/review',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    text: text(1, MAX_COMMENT_CHARACTERS).optional().describe('Words before the comments.'),
  }),
  output: z.object({
    attempt_id: uuid('Attempt (UUID).'),
    follow_up_id: uuid('Follow-up (UUID).'),
    comments: z.int().describe('Comments that were sent.'),
    left: z.int().optional().describe('Comments that had no room: send again.'),
    execution_id: uuid('Run that it starts (UUID); left out when it waits.').optional(),
    note: z.string().optional().describe('Why it starts no run.'),
  }),
  event: 'own',
  entity: ({ attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  follows: ({ execution_id }) => (execution_id === undefined ? null : { execution_id }),
  run: async ({ input: { attempt_id, text: words }, work, services }) => {
    const { may_run, follow_up_id, execution_id, sent, left } = await services.board.reviews.send(
      work,
      attempt_id,
      words,
    );
    return {
      attempt_id,
      follow_up_id,
      comments: sent,
      ...(left > 0 && { left }),
      ...(execution_id !== null && { execution_id }),
      ...(!may_run && { note: WAITS }),
    };
  },
});
