import type { ConversationId, MessageId, UserId } from '#domain/ids';
import { atMost, fromEnd, fromStart, type Position } from '#store/sql/page';
import type { Session } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads } from '#store/store';

const list = statement<{ readonly user_id: UserId } & Position<ConversationId>>()((tables, place) =>
  tables
    .selectFrom('conversations')
    .select(['id', 'user_id', 'started_at', 'last_activity_at'])
    .where('user_id', '=', place('user_id'))
    .where('id', '<', place('after'))
    .orderBy('id', 'desc')
    .limit(atMost(place('limit'))),
);

interface OneConversation {
  readonly user_id: UserId;
  readonly conversation_id: ConversationId;
}

const messages = statement<OneConversation & Position<MessageId>>()((tables, place) =>
  tables
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .selectAll('messages')
    .where('conversations.user_id', '=', place('user_id'))
    .where('conversations.id', '=', place('conversation_id'))
    .where('messages.id', '>', place('after'))
    .orderBy('messages.id')
    .limit(atMost(place('limit'))),
);

export const conversationReads = (session: Session): Reads['conversations'] => ({
  list: (user_id, page) => session.all(list, { user_id, ...fromEnd<ConversationId>(page) }),
  messages: (user_id, conversation_id, page) =>
    session.all(messages, { user_id, conversation_id, ...fromStart<MessageId>(page) }),
});
