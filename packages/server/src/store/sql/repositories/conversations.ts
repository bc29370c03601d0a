import type { ConversationId, UserId } from '#domain/ids';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads } from '#store/store';

const list = statement<{ readonly user_id: UserId }>()((tables, place) =>
  tables
    .selectFrom('conversations')
    .select(['id', 'user_id', 'started_at', 'last_activity_at'])
    .where('user_id', '=', place('user_id'))
    .orderBy('id'),
);

const messages = statement<{ readonly user_id: UserId; readonly conversation_id: ConversationId }>()((tables, place) =>
  tables
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .selectAll('messages')
    .where('conversations.user_id', '=', place('user_id'))
    .where('conversations.id', '=', place('conversation_id'))
    .orderBy('messages.id'),
);

export const conversationReads = (session: Session): Reads['conversations'] => ({
  list: (user_id) => session.all(list, { user_id }),
  messages: (user_id, conversation_id) => session.all(messages, { user_id, conversation_id }),
});
