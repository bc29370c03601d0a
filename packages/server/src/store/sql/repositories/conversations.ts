import type { Conversation, Message } from '#domain/conversation';
import type { ConversationId, MessageId, UserId } from '#domain/ids';
import { clocked } from '#store/sql/clocked';
import { fromEnd, fromStart, LIMIT, type Position } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

const list = statement<{ readonly user_id: UserId } & Position<ConversationId>, Conversation>(`
  select id, user_id, started_at, last_activity_at from conversations
  where user_id = :user_id and id < :after order by id desc ${LIMIT}`);

interface OneConversation {
  readonly user_id: UserId;
  readonly conversation_id: ConversationId;
}

const messages = statement<OneConversation & Position<MessageId>, Message>(`
  select messages.id, messages.conversation_id, messages.role, messages.content, messages.created_at
  from messages join conversations on conversations.id = messages.conversation_id
  where conversations.user_id = :user_id and conversations.id = :conversation_id and messages.id > :after
  order by messages.id ${LIMIT}`);

const listReads = (session: Session): Pick<Reads['conversations'], 'list' | 'messages'> => ({
  list: (user_id, page) => session.all(list, { user_id, ...fromEnd<ConversationId>(page) }),
  messages: (user_id, conversation_id, page) =>
    session.all(messages, { user_id, conversation_id, ...fromStart<MessageId>(page) }),
});

const hasOlder = clocked<{ readonly silent_ms: number }, { readonly id: ConversationId }>(
  (now) => `select id from conversations where last_activity_at < ${now} - :silent_ms limit 1`,
);

interface Crowd {
  readonly active_within_ms: number;
  readonly most: number;
  readonly limit: number;
}

const crowded = clocked<Crowd, { readonly user_id: UserId; readonly count: number }>(
  (now) => `
    select conversations.user_id, count(*) as count
    from conversations join messages on messages.conversation_id = conversations.id
    where conversations.user_id in (
      select user_id from conversations where last_activity_at >= ${now} - :active_within_ms)
    group by conversations.user_id having count(*) > :most ${LIMIT}`,
);

interface Old {
  readonly before: number;
  readonly limit: number;
}

const sweepMessages = statement<Old, never>(`
  delete from messages where (conversation_id, id) in (
    select messages.conversation_id, messages.id
    from conversations join messages on messages.conversation_id = conversations.id
    where conversations.last_activity_at < :before ${LIMIT})`);

const sweepConversations = statement<Old, never>(`
  delete from conversations where id in (
    select id from conversations as old
    where last_activity_at < :before and not exists (select 1 from messages where conversation_id = old.id)
    ${LIMIT})`);

const trim = statement<{ readonly user_id: UserId; readonly limit: number }, never>(`
  delete from messages where (conversation_id, id) in (
    select messages.conversation_id, messages.id
    from conversations join messages on messages.conversation_id = conversations.id
    where conversations.user_id = :user_id
    order by messages.conversation_id, messages.id ${LIMIT})`);

export const conversationReads = (session: Session, clock: () => number): Reads['conversations'] => ({
  ...listReads(session),
  hasOlder: async (silent_ms) => (await session.get(hasOlder.current, { silent_ms, now: clock() })) !== null,
  crowded: (query) => session.all(crowded.current, { ...query, now: clock() }),
});

export const conversationWrites = (session: WriteSession): Transaction['conversations'] => ({
  ...listReads(session),
  hasOlder: async (silent_ms) => (await session.get(hasOlder.at, { silent_ms, now: session.now })) !== null,
  crowded: (query) => session.all(crowded.at, { ...query, now: session.now }),
  sweep: async (before, limit) => {
    const deleted = await session.run(sweepMessages, { before, limit });
    await session.write(sweepConversations, { before, limit });
    return deleted;
  },
  trim: (user_id, limit) => session.run(trim, { user_id, limit }),
});
