import { isUuid } from '#domain/bytes';
import type { Conversation, Message } from '#domain/conversation';
import type { ConversationId, MessageId, UserId } from '#domain/ids';
import { clocked } from '#store/sql/clocked';
import { firstOfTwo, messagesOf } from '#store/sql/exchange';
import { fromEnd, fromStart, LIMIT, type Position } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import type { ExchangeRow } from '#store/sql/tables';
import type { Page, Reads, Transaction } from '#store/store';

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

type StoredExchange = Omit<ExchangeRow, 'conversation'>;

const calls = statement<OneConversation & Position<MessageId>, StoredExchange>(
  ({ uuid, uuidText }) => `
    select ${uuidText('exchanges.id')} as id, exchanges.at, exchanges.request, exchanges.answer
    from exchanges join conversations on conversations.number = exchanges.conversation
    where conversations.user_id = :user_id and conversations.id = :conversation_id and exchanges.id >= ${uuid('after')}
    order by exchanges.id ${LIMIT}`,
);

// Safe: it only marks a place, and is the id of no message.
const FIRST_ID = '00000000-0000-0000-0000-000000000000' as MessageId;

/** The messages of calls, and those that stand alone, in the order of their ids. */
async function messagesAfter(
  session: Session,
  { user_id, conversation_id }: OneConversation,
  page: Page,
): Promise<readonly Message[]> {
  const position = fromStart<MessageId>(page);
  const { after, limit } = position;
  // The second message of a call may follow the last of the page before.
  const from = isUuid(after) ? firstOfTwo(after) : FIRST_ID;
  const [alone, called] = await Promise.all([
    session.all(messages, { user_id, conversation_id, ...position }),
    session.all(calls, { user_id, conversation_id, after: from, limit: limit + 1 }),
  ]);
  const found = called.flatMap((call) => messagesOf(call, conversation_id)).filter(({ id }) => id > after);
  if (alone.length === 0) return found.slice(0, limit);
  return [...alone, ...found].toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
}

const listReads = (session: Session): Pick<Reads['conversations'], 'list' | 'messages'> => ({
  list: (user_id, page) => session.all(list, { user_id, ...fromEnd<ConversationId>(page) }),
  messages: (user_id, conversation_id, page) => messagesAfter(session, { user_id, conversation_id }, page),
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
    select user_id, cast(sum(count) as bigint) as count from (
      select conversations.user_id, (select count(*) from messages where conversation_id = conversations.id)
        + 2 * (select count(*) from exchanges where conversation = conversations.number) as count
      from conversations where conversations.user_id in (
        select user_id from conversations where last_activity_at >= ${now} - :active_within_ms)) as counted
    group by user_id having sum(count) > :most ${LIMIT}`,
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

const sweepCalls = statement<Old, never>(`
  delete from exchanges where (conversation, id) in (
    select exchanges.conversation, exchanges.id
    from conversations join exchanges on exchanges.conversation = conversations.number
    where conversations.last_activity_at < :before ${LIMIT})`);

const sweepConversations = statement<Old, never>(`
  delete from conversations where id in (
    select id from conversations as old
    where last_activity_at < :before and not exists (select 1 from messages where conversation_id = old.id)
      and not exists (select 1 from exchanges where conversation = old.number)
    ${LIMIT})`);

interface Oldest {
  readonly user_id: UserId;
  readonly conversation_id: ConversationId;
  readonly id: MessageId;
  readonly messages: number;
}

// The order of two forms: by their conversations, and there by their ids.
const oldest = statement<{ readonly user_id: UserId; readonly limit: number }, Oldest>(
  ({ uuidText }) => `
    select conversation_id, id, messages from (
      select messages.conversation_id, messages.id, 1 as messages
      from conversations join messages on messages.conversation_id = conversations.id
      where conversations.user_id = :user_id
      union all
      select conversations.id as conversation_id, ${uuidText('exchanges.id')} as id, 2 as messages
      from conversations join exchanges on exchanges.conversation = conversations.number
      where conversations.user_id = :user_id) as said
    order by conversation_id, id ${LIMIT}`,
);

type Last = Pick<Oldest, 'user_id' | 'conversation_id' | 'id'>;

const older = (column: string): string =>
  `select ${column} from conversations where user_id = :user_id and id < :conversation_id`;

const trimMessages = statement<Last, never>(`
  delete from messages where conversation_id in (${older('id')}) or (conversation_id = :conversation_id and id <= :id)`);

const trimCalls = statement<Last, never>(
  ({ uuid }) => `
    delete from exchanges where conversation in (${older('number')})
      or (conversation = (select number from conversations where id = :conversation_id) and id <= ${uuid('id')})`,
);

/** Deletes the oldest messages of a user; of the two messages of a call both. */
async function trim(session: WriteSession, user_id: UserId, limit: number): Promise<number> {
  let count = 0;
  let last: Last | undefined;
  for (const { conversation_id, id, messages } of await session.all(oldest, { user_id, limit })) {
    if (count >= limit) break;
    count += messages;
    last = { user_id, conversation_id, id };
  }
  if (last === undefined) return 0;
  await session.write(trimMessages, last);
  await session.write(trimCalls, last);
  return count;
}

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
    const alone = await session.run(sweepMessages, { before, limit });
    const left = Math.ceil((limit - alone) / 2);
    const deleted = alone + (left === 0 ? 0 : 2 * (await session.run(sweepCalls, { before, limit: left })));
    await session.write(sweepConversations, { before, limit });
    return deleted;
  },
  trim: (user_id, limit) => trim(session, user_id, limit),
});
