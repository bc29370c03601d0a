import { z } from 'zod';
import { defineTool } from '#tools/define';
import { rfc3339, time } from '#tools/time';
import { taskerFields } from './fields.ts';
import { author } from './present.ts';

export const taskerAppendComment = defineTool({
  name: 'tasker_append_comment',
  title: 'Comment on an issue',
  description: 'Adds a comment to an issue. It cannot be changed or deleted.',
  scope: 'issue:comment',
  effect: 'create',
  key: 'required',
  tracker: true,
  route: 'POST /tasker/issues/{issue_id}/comments',
  lane: 'issue_id',
  input: z.object({
    issue_id: taskerFields.issue_id,
    comment_html: taskerFields.comment_html,
  }),
  output: z.object({
    comment: z
      .object({
        id: z.string().describe('Comment.'),
        issue_id: z.string().describe('Issue.'),
        author: author.optional(),
        created_at: time.describe('Added (RFC 3339).'),
      })
      .describe('The comment.'),
  }),
  event: 'updated',
  entity: ({ issue_id }) => ({ kind: 'work_item', id: issue_id }),
  run: async ({ input, work, services }) => {
    const { issue, comment } = await services.tasker.comments.append(work, input.issue_id, input.comment_html);
    return {
      comment: {
        id: comment.id,
        issue_id: issue.id,
        ...(comment.author !== null && { author: comment.author }),
        created_at: rfc3339(comment.created_at),
      },
    };
  },
});
