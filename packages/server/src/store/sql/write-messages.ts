import { type Exchange, isOpen, type Message } from '#domain/conversation';
import type { ConversationId, NewId, UserId } from '#domain/ids';
import type { WriteSession } from './session.ts';
import { bulkInsert, statement } from './statement.ts';
import type { ConversationRow } from './tables.ts';

const insertConversations = bulkInsert<ConversationRow>('conversations', {
  id: 'text',
  workspace_id: 'text',
  user_id: 'text',
  started_at: 'bigint',
  last_activity_at: 'bigint',
});

const insertMessages = bulkInsert<Message>('messages', {
  id: 'text',
  conversation_id: 'text',
  role: 'text',
  content: 'text',
  created_at: 'bigint',
});

/** A user with their newest conversation, if they have one. */
interface Speaker {
  readonly user_id: UserId;
  readonly id: ConversationId | null;
  readonly last_activity_at: number | null;
}

const speakers = statement<{ readonly users: string }, Speaker>(
  ({ tableOf }) => `
    select users.id as user_id, conversations.id, conversations.last_activity_at
    from ${tableOf('users', 'named')} join users on users.id = named.value
    left join conversations on conversations.id = (
      select id from conversations where user_id = users.id order by last_activity_at desc, id desc limit 1)`,
);

// Another writer who touches it at this moment writes the same time, give or take its own commit: nobody waits for it.
const touchConversations = statement<{ readonly now: number; readonly ids: string }, never>(
  ({ dialect, listed }) => `
    update conversations set last_activity_at = :now where id in (
      select id from conversations where id in ${listed('ids')} and last_activity_at < :now
      ${dialect === 'postgres' ? 'for no key update skip locked' : ''})`,
);

const OPENING = 7_102_383;

// In the order of the list, which is sorted: two writers who open conversations of the same users wait in one order.
const lockOpening = statement<{ readonly users: string }, never>(
  ({ tableOf }) => `select pg_advisory_xact_lock(${OPENING}, hashtext(named.value)) from ${tableOf('users', 'named')}`,
  'postgres',
);

const hasOpen = ({ id, last_activity_at }: Speaker, now: number): boolean =>
  id !== null && last_activity_at !== null && isOpen({ last_activity_at }, now);

/**
 * The users with their newest conversations. Beside other writers, those without an open one are locked and read again:
 * two writers would otherwise open two conversations for one user.
 */
async function speakersOf(
  session: WriteSession,
  users: readonly UserId[],
  beside: boolean,
): Promise<readonly Speaker[]> {
  const found = await session.all(speakers, { users: JSON.stringify(users) });
  const opening = found.filter((speaker) => !hasOpen(speaker, session.now)).map(({ user_id }) => user_id);
  if (!beside || opening.length === 0) return found;
  const named = { users: JSON.stringify(opening.toSorted()) };
  const [, again] = await Promise.all([session.all(lockOpening, named), session.all(speakers, named)]);
  return [...found.filter(({ user_id }) => !opening.includes(user_id)), ...again];
}

interface Manner {
  readonly ids: NewId;
  /** Whether other writers may add messages at the same time. */
  readonly beside: boolean;
}

/** Appends messages to the open conversations of their users, or to new ones. */
export async function appendMessages(
  session: WriteSession,
  exchanges: readonly Exchange[],
  { ids, beside }: Manner,
): Promise<void> {
  const { now } = session;
  const users = [...new Set(exchanges.map(({ user_id }) => user_id))];
  const found = await speakersOf(session, users, beside);
  const known = new Set(found.map(({ user_id }) => user_id));
  const open = new Map<UserId, ConversationId>();
  const stale: ConversationId[] = [];
  for (const speaker of found) {
    const { user_id, id, last_activity_at } = speaker;
    if (id === null || !hasOpen(speaker, now)) continue;
    open.set(user_id, id);
    if (last_activity_at !== now) stale.push(id);
  }

  const started: ConversationRow[] = [];
  const messages: Message[] = [];
  for (const exchange of exchanges) {
    const { workspace_id, user_id } = exchange;
    // The user was removed while the call ran: a message without a user would fail every call of the group.
    if (!known.has(user_id)) continue;
    let conversation_id = open.get(user_id);
    if (conversation_id === undefined) {
      // A new id is of what it is given to.
      conversation_id = ids();
      open.set(user_id, conversation_id);
      started.push({ id: conversation_id, workspace_id, user_id, started_at: now, last_activity_at: now });
    }
    for (const { role, content } of exchange.messages) {
      messages.push({ id: ids(), conversation_id, role, content, created_at: now });
    }
  }

  if (started.length > 0) await session.insertAll(insertConversations, started);
  if (stale.length > 0) await session.write(touchConversations, { now, ids: JSON.stringify(stale) });
  if (messages.length > 0) await session.insertAll(insertMessages, messages);
}
