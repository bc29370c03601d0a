import type { ConversationId, MessageId, UserId } from '#domain/ids';
import { clocked } from '#store/sql/clocked';
import { atMost, fromEnd, fromStart, type Position } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { plainStatement, statement } from '#store/sql/statement';
import type { Reads, Transaction } from '#store/store';

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

const listReads = (session: Session): Pick<Reads['conversations'], 'list' | 'messages'> => ({
  list: (user_id, page) => session.all(list, { user_id, ...fromEnd<ConversationId>(page) }),
  messages: (user_id, conversation_id, page) =>
    session.all(messages, { user_id, conversation_id, ...fromStart<MessageId>(page) }),
});

const hasOlder = clocked<{ readonly silent_ms: number }, { readonly id: ConversationId }>(
  (_, now) => `select id from conversations where last_activity_at < ${now} - :silent_ms limit 1`,
);

interface Crowd {
  readonly active_within_ms: number;
  readonly most: number;
  readonly limit: number;
}

const crowded = clocked<Crowd, { readonly user_id: UserId; readonly count: number }>(
  (_, now) => `
    select conversations.user_id, count(*) as count
    from conversations join messages on messages.conversation_id = conversations.id
    where conversations.user_id in (
      select user_id from conversations where last_activity_at >= ${now} - :active_within_ms)
    group by conversations.user_id having count(*) > :most limit :limit + 0`,
);

interface Old {
  readonly before: number;
  readonly limit: number;
}

const sweepMessages = plainStatement<Old, never>(`
  delete from messages where (conversation_id, id) in (
    select messages.conversation_id, messages.id
    from conversations join messages on messages.conversation_id = conversations.id
    where conversations.last_activity_at < :before limit :limit + 0)`);

const sweepConversations = plainStatement<Old, never>(`
  delete from conversations where id in (
    select id from conversations as old
    where last_activity_at < :before and not exists (select 1 from messages where conversation_id = old.id)
    limit :limit + 0)`);

const trim = plainStatement<{ readonly user_id: UserId; readonly limit: number }, never>(`
  delete from messages where (conversation_id, id) in (
    select messages.conversation_id, messages.id
    from conversations join messages on messages.conversation_id = conversations.id
    where conversations.user_id = :user_id
    order by messages.conversation_id, messages.id limit :limit + 0)`);

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
