import { z } from 'zod';
import { shortText } from '#domain/answer-size';
import { ApprovalOption } from '#domain/approval';
import { INBOX_KINDS, type InboxRow } from '#domain/inbox';
import { defineTool } from '#tools/define';
import { pageOutput } from '#tools/paging';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';
import { boardFields, shortName, shortPageInput, uuidOrNull } from './fields.ts';
import { criteriaOf, linesOf } from './present-card.ts';

const MAX_TEXT_CHARACTERS = 300;
const MAX_DETAILS_CHARACTERS = 2_000;

const row = z.object({
  kind: z
    .enum(INBOX_KINDS)
    .describe(
      'question or permission for respond_approval, review of a finished attempt, failed attempt, stalled run, or job: a merge or rebase that failed.',
    ),
  task_key: shortName('Short name of the task; null for none.'),
  attempt_id: uuidOrNull('Attempt (UUID); null for none.'),
  attempt_key: shortName('Short name of the attempt; null for none.'),
  approval_id: uuidOrNull('Question (UUID), as respond_approval takes it; null for others.'),
  execution_id: uuidOrNull('Run (UUID) that asks or is stalled; null for others.'),
  title: z.string().nullable().describe('Title of the task; null for none.'),
  text: z.string().nullable().describe('What is asked, or why it failed; null for nothing.'),
  details: z.string().nullable().describe('A command or a change that a question is about; null for none.'),
  options: z.array(ApprovalOption).describe('What a question can be answered with; empty for any text.'),
  by: z
    .object({ id: z.string().describe('Agent (UUID), or executor.'), name: z.string().describe('Name.') })
    .nullable()
    .describe('Agent or executor; null for a person.'),
  since: time.describe('Since when it waits (RFC 3339).'),
  review: z
    .object({
      files: z.int().describe('Files that it changed.'),
      added: z.int().describe('Lines added.'),
      removed: z.int().describe('Lines removed.'),
      criteria_done: z.int().describe('Acceptance criteria that are ticked.'),
      criteria_total: z.int().describe('Acceptance criteria of the task.'),
    })
    .nullable()
    .describe('What there is to read; null for all but reviews.'),
  claimed_until: time.nullable().describe('When the claim of a stalled run returns (RFC 3339); null for others.'),
});

function reviewOf({
  kind,
  files,
  layout,
}: Pick<InboxRow, 'kind' | 'files' | 'layout'>): z.output<typeof row>['review'] {
  if (kind !== 'review') return null;
  const { done, total } = criteriaOf(layout);
  return { ...linesOf(files), criteria_done: done, criteria_total: total };
}

const counts = z.object(
  // The cast: `Object.fromEntries` loses the names.
  Object.fromEntries(INBOX_KINDS.map((kind) => [kind, z.int().describe(`How many of kind ${kind}.`)])) as Record<
    (typeof INBOX_KINDS)[number],
    z.ZodInt
  >,
);

export const listInbox = defineTool({
  name: 'list_inbox',
  title: 'What needs a person',
  description: 'Lists what waits for a person, newest first: questions, reviews, failures and runs that are stalled.',
  scope: 'board:read',
  effect: 'read',
  mcp: false,
  route: 'GET /board/inbox',
  input: z.object({
    project_id: boardFields.project_id.optional().describe('Project key or id; all projects unless given.'),
    ...shortPageInput,
  }),
  output: z.object({
    rows: z.array(row).describe('What waits, newest first.'),
    counts: counts.describe('How much waits, by kind; of each at most 1,000 are counted.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.board.inbox(work, input);
    return {
      rows: rows.map(({ id: _, since, text, details, options, files, layout, lease_until, ...fields }) => ({
        ...fields,
        review: reviewOf({ kind: fields.kind, files, layout }),
        claimed_until: rfc3339OrNull(lease_until),
        text: text === null ? null : shortText(text, MAX_TEXT_CHARACTERS),
        details: details === null ? null : shortText(details, MAX_DETAILS_CHARACTERS),
        options: options === null ? [] : z.array(ApprovalOption).parse(JSON.parse(options)),
        since: rfc3339(since),
      })),
      ...more,
    };
  },
});
