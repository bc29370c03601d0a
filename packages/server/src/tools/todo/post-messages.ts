import { z } from 'zod';
import { MessageRole } from '#domain/conversation';
import { text } from '#domain/text';
import { defineTool } from '#tools/define';
import { todoFields } from './fields.ts';

export const postMessages = defineTool({
  name: 'post_messages',
  title: 'Keep what was said',
  description:
    'Stores messages of the dialogue between a user and an assistant. They join the conversation of the last 30 minutes, or open a new one.',
  scope: 'todo:write',
  effect: 'create',
  route: 'POST /conversations/messages',
  subject: 'user_id',
  mcp: false,
  input: z.object({
    user_id: todoFields.user_id,
    messages: z
      .array(
        z.object({
          role: MessageRole.describe('Who said it: "user" or "assistant".'),
          content: text(1, 20_000).describe('What was said: 1 to 20000 characters.'),
        }),
      )
      .min(1)
      .max(100)
      .describe('The messages in the order in which they were said, 1 to 100.'),
  }),
  output: z.object({ stored: z.int().describe('How many messages were kept.') }),
  event: 'updated',
  entity: (_input, _output, subject) => ({ kind: 'user', id: subject }),
  run: async ({ input, work, services }) => ({ stored: await services.conversations.post(work, input.messages) }),
});
