import { z } from 'zod';
import { shortText } from '#domain/answer-size';
import { ApprovalOption, ApprovalStatus } from '#domain/approval';
import type { Services } from '#services/services';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';
import { author, boardFields } from './fields.ts';
import { attemptRow, attemptRowOf } from './present.ts';

const MAX_WORDS = 1_000;

type Entry = Awaited<ReturnType<Services['board']['story']>>['rows'][number];

const question = z.object({
  kind: z.enum(['permission', 'question']).describe('permission or question.'),
  text: z.string().describe('The question in one line.'),
  details: z.string().nullable().describe('A command or a change that it is about; null for none.'),
  executor: z.string().nullable().describe('Executor that asked; null when an agent or a person did.'),
  status: ApprovalStatus.describe('pending, approved, denied or expired.'),
  answer: z.string().nullable().describe('The answer: words, or the name of the chosen option; null for neither.'),
  answered_by: author.describe('Who answered; null for nobody.'),
  answered_at: time.nullable().describe('Answered or expired (RFC 3339); null before that.'),
});

const entry = z.object({
  kind: z.enum(['comment', 'attempt', 'question', 'change']).describe('comment, attempt, question or change.'),
  id: z.string().describe('Id, unique among its kind.'),
  at: time.describe('When (RFC 3339).'),
  by: author.describe('Who; null for nobody known.'),
  comment_html: z.string().optional().describe('The comment as simple HTML; only of a comment.'),
  attempt: z.object(attemptRow).optional().describe('The attempt as it is now; only of an attempt.'),
  question: question.optional().describe('What was asked, and the answer to it; only of a question.'),
  action: z.string().optional().describe('The tool that changed it; only of a change.'),
});

const Options = z.array(ApprovalOption);

const named = (by: Entry['by']) => by && { kind: by.kind, id: by.id, name: by.name };

function questionOf({ asked, executor, answered_by }: Extract<Entry, { readonly kind: 'question' }>) {
  const { kind, question: text, details, options, status, option, answer, answered_at } = asked;
  const chosen = option === null ? null : Options.parse(JSON.parse(options)).find((each) => each.option === option);
  return {
    kind,
    text: shortText(text, MAX_WORDS),
    details: details === null ? null : shortText(details, MAX_WORDS),
    executor,
    status,
    answer: answer === null ? (chosen?.name ?? option) : shortText(answer, MAX_WORDS),
    answered_by: named(answered_by),
    answered_at: rfc3339OrNull(answered_at),
  };
}

const detailOf = (row: Entry) => {
  if (row.kind === 'comment') return { comment_html: row.comment.comment_html };
  if (row.kind === 'question') return { question: questionOf(row) };
  return row.kind === 'attempt' ? { attempt: attemptRowOf(row.attempt) } : { action: row.change.action };
};

export const listTaskStory = defineTool({
  name: 'list_task_story',
  title: 'List what happened to a task',
  description:
    'Lists comments, attempts, questions and changes of a task in one stream, newest first, with who made them.',
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
        by: named(row.by),
        ...detailOf(row),
      })),
      ...more,
    };
  },
});
