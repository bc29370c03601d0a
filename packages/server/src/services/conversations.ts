import type { Conversation, Message, MessageRole } from '#domain/conversation';
import type { ConversationId } from '#domain/ids';
import { withoutCredentials } from '#domain/text';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import type { ReadWork, WriteWork } from './work.ts';

/** The messages of a user: the calls of their agents, and the dialogue that a client posts. */
export function createConversations({ cursors }: Ports) {
  return {
    post: async (work: WriteWork, messages: readonly { role: MessageRole; content: string }[]): Promise<number> => {
      const kept = messages.map(({ role, content }) => ({ role, content: withoutCredentials(content) }));
      work.tx.say({ workspace_id: work.caller.workspace_id, user_id: work.subject, messages: kept });
      return messages.length;
    },

    list: ({ tx, subject }: ReadWork, page: PageRequest): Promise<PageOf<Conversation>> =>
      readPage(cursors, page, {
        name: `conversations:${subject}`,
        read: (part) => tx.conversations.list(subject, part),
      }),

    messages: ({ tx, subject }: ReadWork, conversation: ConversationId, page: PageRequest): Promise<PageOf<Message>> =>
      readPage(cursors, page, {
        name: `messages:${subject}:${conversation}`,
        read: (part) => tx.conversations.messages(subject, conversation, part),
      }),
  };
}
