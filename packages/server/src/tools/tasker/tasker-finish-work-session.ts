import { z } from 'zod';
import { RunId } from '#domain/ids';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { sessionOf, truncatedOf, workSession } from './present.ts';

const oneText = (value: unknown): unknown =>
  Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('\n') : value;

export const taskerFinishWorkSession = defineTool({
  name: 'tasker_finish_work_session',
  title: 'Finish a work session',
  description:
    'Ends your work session: summary and validation become a comment and an implementation note on the issue.',
  scope: ['issue:comment', 'issue:structured_blocks:write'],
  effect: 'update',
  key: 'required',
  tracker: true,
  route: 'POST /tasker/work-sessions/{work_session_id}/finish',
  input: z.object({
    work_session_id: RunId.describe('work_session.id of tasker_start_work_session.'),
    summary: text(1, 4_000).describe('What was done, as plain text: 1 to 4,000 characters.'),
    validation: z
      .preprocess(oneText, text(0, 4_000))
      .optional()
      .describe('What was checked and how it ended, one text with a line for each check: at most 4,000 characters.'),
  }),
  output: z.object({
    work_session: workSession,
    comment_id: z
      .string()
      .optional()
      .describe('Comment with the report; left out when the session was about a whole project.'),
    truncated: z.array(z.string()).optional().describe('"note" when the note was cut; the comment has all of it.'),
  }),
  event: 'own',
  entity: ({ work_session_id }) => ({ kind: 'execution', id: work_session_id }),
  run: async ({ input, work, services }) => {
    const { session, comment, is_note_whole } = await services.tasker.sessions.finish(work, input);
    return {
      work_session: sessionOf(session),
      ...(comment !== null && { comment_id: comment.id }),
      ...truncatedOf(is_note_whole ? [] : ['note']),
    };
  },
});
