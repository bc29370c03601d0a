import { z } from 'zod';
import { MessageRole } from '#domain/conversation';
import { ConversationId } from '#domain/ids';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { todoFields } from './fields.ts';

export const listMessages = defineTool({
  name: 'list_messages',
  title: 'List messages',
  description: 'Lists the messages of a conversation of a user, in order.',
  scope: 'todo:read',
  effect: 'read',
  route: 'GET /conversations/{conversation_id}/messages',
  subject: 'user_id',
  mcp: false,
  input: z.object({
    user_id: todoFields.user_id,
    conversation_id: ConversationId.describe('The conversation, by its id.'),
    ...pageInput,
  }),
  output: z.object({
    messages: z
      .array(
        z.object({
          message_id: z.string().describe('The id of the message (UUID).'),
          role: MessageRole.describe('Who said it: "user" or "assistant".'),
          content: z.string().describe('What was said.'),
          created_at: z.iso.datetime().describe('When it was said (RFC 3339).'),
        }),
      )
      .describe('The messages in order; empty when the user has no such conversation.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.conversations.messages(work, input.conversation_id, input);
    return {
      messages: rows.map(({ id, role, content, created_at }) => ({
        message_id: id,
        role,
        content,
        created_at: new Date(created_at).toISOString(),
      })),
      ...more,
    };
  },
});
