import { z } from 'zod';
import { DetailLayout } from '#domain/blocks';
import { defineTool } from '#tools/define';
import { time } from '#tools/time';
import { taskerFields } from './fields.ts';
import { author, issueRow, named, truncated, version } from './present.ts';
import { INCLUDES, MAX_COMMENTS, wholeIssue } from './present-issue.ts';

export const taskerGetIssue = defineTool({
  name: 'tasker_get_issue',
  title: 'Get an issue',
  description:
    'Answers one issue: description, blocks, labels, assignees, newest comments. Shortened parts are named in truncated: ask for them whole with include.',
  scope: 'issue:read',
  effect: 'read',
  route: 'GET /tasker/issues/{issue_id}',
  input: z.object({
    issue_id: taskerFields.issue_id,
    include: z
      .array(z.enum(INCLUDES))
      .max(INCLUDES.length)
      .default([])
      .describe('Parts to answer whole; comments: the newest 20.'),
  }),
  output: z.object({
    issue: z
      .object({
        ...issueRow,
        version,
        sort_order: z.number().describe('Its place among the issues of its state: smaller ones come first.'),
        start_date: z.string().optional().describe('When work begins, as YYYY-MM-DD; left out when there is no date.'),
        parent_id: z.string().optional().describe('The issue that it is a part of; left out when there is none.'),
        parent_key: z.string().optional().describe('Its short name; left out when it has none.'),
        created_by: author.optional(),
        created_at: time.describe('When it was created (RFC 3339).'),
        labels: z.array(named).describe('Its labels, by name.'),
        assignees: z.array(named).describe('Who works on it, by name.'),
        description_html: z
          .string()
          .nullable()
          .describe('Its description as simple HTML, as its authors wrote it; null for none.'),
        detail_layout: DetailLayout.nullable().describe('Its structured blocks; null when it has none.'),
        comments: z
          .object({
            count: z.number().describe('How many comments there are.'),
            latest: z
              .array(
                z.object({
                  id: z.string().describe('The id of the comment.'),
                  author: author.optional(),
                  created_at: time.describe('When it was added (RFC 3339).'),
                  comment_html: z.string().describe('The comment as simple HTML, as its author wrote it.'),
                }),
              )
              .describe('The newest comments, newest first.'),
          })
          .describe('What was said about it.'),
      })
      .describe('The issue.'),
    truncated,
  }),
  run: async ({ input, work, services }) => {
    const include = new Set(input.include);
    const most = include.has('comments') ? MAX_COMMENTS.included : MAX_COMMENTS.summary;
    return wholeIssue(await services.tasker.issues.get(work, input.issue_id, most), include);
  },
});
