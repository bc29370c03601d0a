import { z } from 'zod';
import type { Services } from '#services/services';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, time } from '#tools/time';
import { author, boardFields } from './fields.ts';
import { attemptRow, attemptRowOf } from './present.ts';

type Entry = Awaited<ReturnType<Services['board']['story']>>['rows'][number];

const entry = z.object({
  kind: z.enum(['comment', 'attempt', 'change']).describe('comment, attempt or change.'),
  id: z.string().describe('Id, unique among its kind.'),
  at: time.describe('When (RFC 3339).'),
  by: author.describe('Who; null for nobody known.'),
  comment_html: z.string().optional().describe('The comment as simple HTML; only of a comment.'),
  attempt: z.object(attemptRow).optional().describe('The attempt as it is now; only of an attempt.'),
  action: z.string().optional().describe('The tool that changed it; only of a change.'),
});

const detailOf = (row: Entry) => {
  if (row.kind === 'comment') return { comment_html: row.comment.comment_html };
  return row.kind === 'attempt' ? { attempt: attemptRowOf(row.attempt) } : { action: row.change.action };
};

export const listTaskStory = defineTool({
  name: 'list_task_story',
  title: 'List what happened to a task',
  description: 'Lists comments, attempts and changes of a task in one stream, newest first, with who made them.',
  scope: 'board:read',
  effect: 'read',
  mcp: 'views',
  route: 'GET /board/tasks/{task_id}/story',
  input: z.object({ task_id: boardFields.task_id, ...pageInput }),
  output: z.object({ entries: z.array(entry).describe('Newest first.'), ...pageOutput }),
  run: async ({ input: { task_id, ...page }, work, services }) => {
    const { rows, ...more } = await services.board.story(work, task_id, page);
    return {
      entries: rows.map((row) => ({
        kind: row.kind,
        id: row.id,
        at: rfc3339(row.at),
        by: row.by && { kind: row.by.kind, id: row.by.id, name: row.by.name },
        ...detailOf(row),
      })),
      ...more,
    };
  },
});
