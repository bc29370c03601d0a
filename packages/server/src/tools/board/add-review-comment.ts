import { z } from 'zod';
import { RepoId } from '#domain/ids';
import { MAX_PATH_CHARACTERS, text } from '#domain/text';
import { defineTool } from '#tools/define';
import { boardFields, shortName, uuid } from './fields.ts';

export const MAX_COMMENT_CHARACTERS = 10_000;

export const addReviewComment = defineTool({
  name: 'add_review_comment',
  title: 'Comment on a line',
  description: 'Notes a comment on a changed line; send_review sends all of them.',
  scope: 'board:write',
  effect: 'create',
  route: 'POST /board/attempts/{attempt_id}/comments',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    repo_id: RepoId.optional().describe('Repository name or id, when it has several.'),
    path: z.string().min(1).max(MAX_PATH_CHARACTERS).describe('File.'),
    line: z.int().min(1).max(10_000_000).describe('Line number on that side.'),
    side: z.enum(['new', 'old']).default('new').describe('new or old; new unless given.'),
    text: text(1, MAX_COMMENT_CHARACTERS).describe('1 to 10,000 characters.'),
  }),
  output: z.object({
    comment_id: uuid('Comment (UUID).'),
    key: shortName('Short name, such as WEB-12.2#3; null for none.'),
  }),
  entity: (_, { comment_id }) => ({ kind: 'review_comment', id: comment_id }),
  run: async ({ input, work, services }) => {
    const { id, key } = await services.board.reviews.add(work, input);
    return { comment_id: id, key };
  },
});
