import { z } from 'zod';
import { defineTool } from '#tools/define';
import { pageInput, pageOutput } from '#tools/paging';
import { todoFields } from './fields.ts';

const time = z.iso.datetime().describe('A moment (RFC 3339).');

export const listConversations = defineTool({
  name: 'list_conversations',
  title: 'List conversations',
  description: 'Lists the conversations of a user, newest first.',
  scope: 'todo:read',
  effect: 'read',
  route: 'GET /conversations',
  subject: 'user_id',
  mcp: false,
  input: z.object({ user_id: todoFields.user_id, ...pageInput }),
  output: z.object({
    conversations: z
      .array(
        z.object({
          conversation_id: z.string().describe('The id of the conversation (UUID).'),
          started_at: time.describe('When its first message came (RFC 3339).'),
          last_activity_at: time.describe('When its last message came (RFC 3339).'),
        }),
      )
      .describe('The conversations, newest first.'),
    ...pageOutput,
  }),
  run: async ({ input, work, services }) => {
    const { rows, ...more } = await services.conversations.list(work, input);
    return {
      conversations: rows.map(({ id, started_at, last_activity_at }) => ({
        conversation_id: id,
        started_at: new Date(started_at).toISOString(),
        last_activity_at: new Date(last_activity_at).toISOString(),
      })),
      ...more,
    };
  },
});
