import { z } from 'zod';
import { shortText } from '#domain/answer-size';
import { FeedKind } from '#domain/run';
import { defineTool } from '#tools/define';
import { rfc3339, time } from '#tools/time';
import { author, boardFields, uuid } from './fields.ts';

const MAX_TEXT_CHARACTERS = 20_000;
const DEFAULT_LIMIT = 100;

const place = z.string().max(100);

export const listAttemptFeed = defineTool({
  name: 'list_attempt_feed',
  title: 'List the feed of an attempt',
  description:
    'Lists what happened in all runs of an attempt, oldest first: the newest part, or the one before or after a place.',
  scope: 'board:read',
  effect: 'read',
  mcp: false,
  route: 'GET /board/attempts/{attempt_id}/feed',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    before: place.optional().describe('before of an earlier answer: older entries.'),
    after: place.optional().describe('after of an earlier answer: newer entries.'),
    limit: z.int().min(1).max(200).default(DEFAULT_LIMIT).describe('At most so many entries, 1 to 200.'),
  }),
  output: z.object({
    entries: z
      .array(
        z.object({
          execution_id: uuid('Run (UUID).'),
          seq: z.int().describe('Place in the feed of that run, from 1.'),
          at: time.describe('When (RFC 3339).'),
          kind: FeedKind.describe('message, thought, tool_call, command, output, edit, question or status.'),
          text: z.string().describe('Words of the agent, at most 20,000 characters.'),
        }),
      )
      .describe('Oldest first.'),
    prompts: z
      .array(
        z.object({
          execution_id: uuid('Run (UUID).'),
          at: time.describe('When the run was asked for (RFC 3339).'),
          by: author.describe('Who asked for it; null for Errand itself, which sends red work back.'),
          text: z.string().describe('The whole prompt, at most 20,000 characters.'),
          words: z
            .string()
            .nullable()
            .describe(
              'What that person added to a prompt made of the task; null for nothing, or where text is theirs.',
            ),
        }),
      )
      .describe(
        'Of the runs that begin among these entries, in their order; and of the latest before its first entry.',
      ),
    senders: z
      .array(
        z.object({
          execution_id: uuid('Run (UUID).'),
          seq: z.int().describe('Place of the entry in the feed of that run.'),
          by: author.describe('Who sent it.'),
        }),
      )
      .describe('Of the entries that are messages to the agent.'),
    before: z.string().nullable().describe('Pass it as before for older entries; null when there are none.'),
    after: z.string().nullable().describe('Pass it as after for newer entries; null while there are none.'),
  }),
  run: async ({ input: { attempt_id, ...request }, work, services }) => {
    const { entries, prompts, senders, before, after } = await services.board.feedPages(work, attempt_id, request);
    return {
      entries: entries.map(({ execution_id, seq, at, kind, text }) => ({
        execution_id,
        seq,
        at: rfc3339(at),
        kind,
        text: shortText(text, MAX_TEXT_CHARACTERS),
      })),
      prompts: prompts.map(({ execution_id, started_at, by, prompt, words }) => ({
        execution_id,
        at: rfc3339(started_at),
        by,
        text: shortText(prompt, MAX_TEXT_CHARACTERS),
        words: words === null ? null : shortText(words, MAX_TEXT_CHARACTERS),
      })),
      senders: senders.map(({ execution_id, seq, by }) => ({ execution_id, seq, by })),
      before,
      after,
    };
  },
});
