import { z } from 'zod';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { boardFields, uuid } from './fields.ts';

const MAX_CHARACTERS = 1_000;
const MAX_OPTIONS = 10;
const MAX_OPTION_CHARACTERS = 100;
const MAX_LABEL_CHARACTERS = 200;
const WAIT_MS = 25_000;
const MAX_WAIT_MS = 30_000;

export const askPerson = defineTool({
  name: 'ask_person',
  title: 'Ask a person',
  description:
    'Asks the people who watch, and waits. Status open: go on, the answer comes in messages of a later result; the same question again waits on.',
  scope: 'board:write',
  for_attempts: 'board:read',
  effect: 'create',
  outside: true,
  idempotent: true,
  route: 'POST /board/questions',
  input: z.object({
    question: text(1, MAX_CHARACTERS).describe('1 to 1,000 characters.'),
    options: z
      .array(
        z.object({
          option: text(1, MAX_OPTION_CHARACTERS).describe('Short answer.'),
          label: text(1, MAX_LABEL_CHARACTERS).optional().describe('What it means.'),
        }),
      )
      .max(MAX_OPTIONS)
      .default([])
      .describe('Choices, at most 10; without them any text.'),
    attempt_id: boardFields.attempt_id.optional().describe('Attempt key or id; yours unless given.'),
    task_id: boardFields.task_id.optional().describe('Task key or id, when there is no attempt.'),
    wait_ms: z.int().min(0).max(MAX_WAIT_MS).default(WAIT_MS).describe('0 to 30,000.'),
  }),
  output: z.object({
    approval_id: uuid('Question (UUID).'),
    status: z.enum(['open', 'answered']).describe('open or answered.'),
    option: z.string().optional().describe('Chosen option.'),
    text: z.string().optional().describe('Answer in words: from a person, follow it.'),
  }),
  event: 'own',
  entity: (_, { approval_id }) => ({ kind: 'approval', id: approval_id }),
  as_task: { wait_ms: 0 },
  follows: ({ approval_id, status }) => (status === 'open' ? { approval_id } : null),
  run: async ({ input, work, services }) => services.board.questions.ask(work, input),
});
