import type { Conversation, Message, MessageRole } from '#domain/conversation';
import type { ConversationId } from '#domain/ids';
import type { ReadWork, WriteWork } from './work.ts';

/** What was said with a user: by their agents' calls, and by whoever posts the dialogue itself. */
export function createConversations() {
  return {
    post: async (work: WriteWork, messages: readonly { role: MessageRole; content: string }[]): Promise<number> => {
      work.tx.say({ workspace_id: work.caller.workspace_id, user_id: work.subject, messages });
      return messages.length;
    },

    list: ({ tx, subject }: ReadWork): Promise<readonly Conversation[]> => tx.conversations.list(subject),

    messages: ({ tx, subject }: ReadWork, conversation: ConversationId): Promise<readonly Message[]> =>
      tx.conversations.messages(subject, conversation),
  };
}

export type Conversations = ReturnType<typeof createConversations>;
