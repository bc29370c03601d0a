import { z } from 'zod';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { boardFields, uuid } from './fields.ts';

const MAX_CHARACTERS = 10_000;

const WAITS =
  'It starts no run: that needs the scope board:run. Without a run that reads it, it waits for one of another.';

export const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send a message',
  description: 'Sends a message to the agent of an attempt: in its next tool result, or as its next follow-up.',
  scope: 'board:write',
  field_scopes: { interrupt: 'board:run' },
  effect: 'create',
  open_world: true,
  route: 'POST /board/attempts/{attempt_id}/messages',
  input: z.object({
    attempt_id: boardFields.attempt_id,
    text: text(1, MAX_CHARACTERS).describe('1 to 10,000 characters.'),
    interrupt: z.boolean().optional().describe('true: stop its turn and go on with these words.'),
  }),
  output: z.object({
    message_id: uuid('Message (UUID).'),
    status: z.enum(['queued', 'delivered', 'read']).describe('queued, delivered or read.'),
    execution_id: uuid('Run that starts with it (UUID); left out when one goes on.').optional(),
    note: z.string().optional().describe('Why it starts no run.'),
  }),
  event: 'own',
  entity: (_, { message_id }) => ({ kind: 'message', id: message_id }),
  run: async ({ input, work, services }) => {
    const { message, execution_id } = await services.board.sendMessage(work, {
      ...input,
      interrupt: input.interrupt ?? false,
    });
    return {
      message_id: message.id,
      status: 'queued' as const,
      ...(execution_id !== null && { execution_id }),
      ...(!message.may_run && { note: WAITS }),
    };
  },
});
