import { type Exchange, isOpen, type Message } from '#domain/conversation';
import type { ConversationId, NewId, UserId } from '#domain/ids';
import { callOf, firstOfTwo } from './exchange.ts';
import type { Session, WriteSession } from './session.ts';
import { type BulkInsert, bulkInsert, rowsOf, statement } from './statement.ts';
import type { ConversationRow, ExchangeRow } from './tables.ts';

const insertConversations = bulkInsert<Omit<ConversationRow, 'number'>>('conversations', {
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

const insertExchanges = bulkInsert<ExchangeRow>('exchanges', {
  conversation: 'bigint',
  id: 'uuid',
  at: 'bigint',
  request: 'text',
  answer: 'text',
});

/** A user with their newest conversation, if they have one. */
interface Speaker {
  readonly user_id: UserId;
  readonly id: ConversationId | null;
  readonly number: number | null;
  readonly last_activity_at: number | null;
}

/** These users with their newest conversations. */
export const speakers = statement<{ readonly users: string }, Speaker>(
  ({ tableOf }) => `
    select users.id as user_id, conversations.id, conversations.number, conversations.last_activity_at
    from ${tableOf('users', 'named')} join users on users.id = named.value
    left join conversations on conversations.id = (
      select id from conversations where user_id = users.id order by last_activity_at desc, id desc limit 1)`,
);

interface Touch {
  readonly id: ConversationId;
  readonly now: number;
}

// Another writer who touches it at this moment writes the same time, give or take its own commit: nobody waits for it.
const SKIPPING = 'for no key update of conversations skip locked';

const touchConversations: BulkInsert<Touch> = {
  one: statement(({ dialect }) => {
    const older = 'id = :id and last_activity_at < :now';
    const which = dialect === 'sqlite' ? older : `id in (select id from conversations where ${older} ${SKIPPING})`;
    return `update conversations set last_activity_at = :now where ${which}`;
  }),
  many: statement(
    `update conversations set last_activity_at = stale.now from (
      select rows.id, rows.now from ${rowsOf({ id: 'text', now: 'bigint' })}
      join conversations on conversations.id = rows.id and conversations.last_activity_at < rows.now ${SKIPPING}) as stale
    where conversations.id = stale.id`,
    'postgres',
  ),
};

const numbersOf = statement<{ readonly ids: string }, { readonly id: ConversationId; readonly number: number }>(
  ({ listed }) => `select id, number from conversations where id in ${listed('ids')}`,
);

const OPENING = 7_102_383;

// In the order of the list, which is sorted: two writers who open conversations of the same users wait in one order.
const lockOpening = statement<{ readonly users: string }, never>(
  ({ tableOf }) => `select pg_advisory_xact_lock(${OPENING}, hashtext(named.value)) from ${tableOf('users', 'named')}`,
  'postgres',
);

/** The key under which a user's newest conversation that was read ahead is taken. */
export const speakerName = (user: UserId): string => `speaker ${user}`;

/** These users with their newest conversations. */
export const findSpeakers = (session: Session, users: readonly UserId[]): Promise<readonly Speaker[]> =>
  session.all(speakers, { users: JSON.stringify(users) });

/** Asks for those users only who were not read ahead. */
async function knownSpeakers(session: WriteSession, users: readonly UserId[]): Promise<readonly Speaker[]> {
  const known = users.map((user) => session.take<Speaker>(speakerName(user))).filter((one) => one !== undefined);
  const others = users.filter((user) => !known.some(({ user_id }) => user_id === user));
  return others.length === 0 ? known : [...known, ...(await findSpeakers(session, others))];
}

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
  const found = await knownSpeakers(session, users);
  const opening = found.filter((speaker) => !hasOpen(speaker, session.now)).map(({ user_id }) => user_id);
  if (!beside || opening.length === 0) return found;
  const named = { users: JSON.stringify(opening.toSorted()) };
  const [, again] = await Promise.all([session.all(lockOpening, named), findSpeakers(session, opening)]);
  return [...found.filter(({ user_id }) => !opening.includes(user_id)), ...again];
}

type Speaking = Pick<Exchange, 'workspace_id' | 'user_id'>;

interface Manner {
  readonly ids: NewId;
  /** Whether other writers may add messages at the same time. */
  readonly beside: boolean;
}

/** A conversation that messages are appended to. */
type Open = Pick<ConversationRow, 'id' | 'number'>;

/** Opens conversations for these users. The database gives their numbers. */
async function openFor(session: WriteSession, speakers: readonly Speaking[], ids: NewId): Promise<Map<UserId, Open>> {
  const { now } = session;
  const started = speakers.map(({ workspace_id, user_id }) => {
    // `ids` makes an id of the type that its place needs.
    const id: ConversationId = ids();
    return { id, workspace_id, user_id, started_at: now, last_activity_at: now };
  });
  if (started.length === 0) return new Map();
  const named = { ids: JSON.stringify(started.map(({ id }) => id)) };
  const [, rows] = await Promise.all([session.insertAll(insertConversations, started), session.all(numbersOf, named)]);
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  return new Map(started.map(({ id, user_id }) => [user_id, { id, number: numbers.get(id) ?? 0 }]));
}

/** Appends messages to the open conversations of their users, or to new ones. */
export async function appendMessages(
  session: WriteSession,
  exchanges: readonly Exchange[],
  { ids, beside }: Manner,
): Promise<void> {
  const { now } = session;
  const speaking = new Map(exchanges.map((exchange) => [exchange.user_id, exchange]));
  const found = await speakersOf(session, [...speaking.keys()], beside);
  const open = new Map<UserId, Open>();
  const opening: Speaking[] = [];
  const stale: Touch[] = [];
  // Without the users that were removed while their calls ran: a message without a user would fail every call of the group.
  for (const speaker of found) {
    const { user_id, id, number, last_activity_at } = speaker;
    const speaks = speaking.get(user_id);
    if (id !== null && number !== null && hasOpen(speaker, now)) {
      open.set(user_id, { id, number });
      if (last_activity_at !== now) stale.push({ id, now });
    } else if (speaks !== undefined) opening.push(speaks);
  }
  for (const [user_id, opened] of await openFor(session, opening, ids)) open.set(user_id, opened);

  const calls: ExchangeRow[] = [];
  const messages: Message[] = [];
  for (const { user_id, messages: said } of exchanges) {
    const conversation = open.get(user_id);
    if (conversation === undefined) continue;
    const call = callOf(said);
    if (call !== null) {
      // Both ids are taken: those that are counted would otherwise be given again.
      const id = firstOfTwo(ids());
      ids();
      calls.push({ conversation: conversation.number, id, at: now, ...call });
    } else {
      for (const { role, content } of said) {
        messages.push({ id: ids(), conversation_id: conversation.id, role, content, created_at: now });
      }
    }
  }

  if (stale.length > 0) await session.insertAll(touchConversations, stale);
  if (calls.length > 0) await session.insertAll(insertExchanges, calls);
  if (messages.length > 0) await session.insertAll(insertMessages, messages);
}
