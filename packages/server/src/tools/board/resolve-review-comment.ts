import { z } from 'zod';
import { ReviewCommentId } from '#domain/ids';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { uuid } from './fields.ts';

export const resolveReviewComment = defineTool({
  name: 'resolve_review_comment',
  title: 'Resolve a comment',
  description: 'Marks a comment on a line as dealt with.',
  scope: 'board:write',
  for_attempts: 'board:read',
  effect: 'update',
  idempotent: true,
  route: 'POST /board/comments/{comment_id}',
  input: z.object({
    comment_id: ReviewCommentId.describe('Comment, as the review names it, or its id.'),
    resolved: z.boolean().default(true).describe('false opens it again.'),
    note: text(1, 2_000).optional().describe('What was done.'),
  }),
  output: z.object({
    comment_id: uuid('Comment (UUID).'),
    status: z
      .enum(['draft', 'sent', 'resolved', 'deleted'])
      .describe('draft, sent, resolved, or deleted for a draft that its author took back.'),
  }),
  entity: (_, { comment_id }) => ({ kind: 'review_comment', id: comment_id }),
  run: async ({ input, work, services }) => {
    const { comment, status } = await services.board.reviews.resolve(work, input);
    return { comment_id: comment.id, status };
  },
});
