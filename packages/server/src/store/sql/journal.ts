import { hash as digest } from 'node:crypto';
import { type AuditDraft, type AuditEvent, auditText } from '#domain/audit';
import { type Exchange, isOpen, type Message } from '#domain/conversation';
import type { EventDraft } from '#domain/event';
import type { ConversationId, NewId, UserId } from '#domain/ids';
import { readHead } from '#store/sql/repositories/audit';
import { appendChanges } from '#store/sql/repositories/events';
import type { WriteSession } from './session.ts';
import { bulkInsert, statement } from './statement.ts';
import type { ConversationRow } from './tables.ts';

/** The audit entries, events and messages of a group: written once for all of them, just before the commit. */
export interface Journal {
  readonly record: (event: AuditDraft) => void;
  readonly emit: (change: EventDraft) => void;
  readonly say: (exchange: Exchange) => void;
  /** Marks where the current work starts, for `forget`. */
  readonly mark: () => void;
  /** Drops the entries of the current work. */
  readonly forget: () => void;
  readonly clear: () => void;
  /** The number of the last event; null when there was none. */
  readonly flush: () => Promise<number | null>;
}

const insertEvents = bulkInsert<AuditEvent>('audit_events', {
  seq: 'bigint',
  at: 'bigint',
  workspace_id: 'text',
  actor_kind: 'text',
  user_id: 'text',
  agent_id: 'text',
  token_id: 'text',
  action: 'text',
  outcome: 'text',
  entity: 'text',
  entity_id: 'text',
  idempotency_key: 'text',
  correlation_id: 'text',
  before_digest: 'text',
  after_digest: 'text',
  instruction_ref: 'text',
  reason: 'text',
  repeats: 'bigint',
  prev_hash: 'text',
  hash: 'text',
});

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

const moveHead = statement<{ readonly seq: number; readonly hash: string }, never>(
  'update audit_head set seq = :seq, hash = :hash',
);

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

const touchConversations = statement<{ readonly now: number; readonly ids: string }, never>(
  ({ listed }) => `update conversations set last_activity_at = :now where id in ${listed('ids')}`,
);

async function appendEvents(session: WriteSession, drafts: readonly AuditDraft[]): Promise<void> {
  const head = await readHead(session);
  if (head === null) throw new Error('The head of the audit chain is missing: the database was tampered with.');
  let { seq, hash } = head;

  const events = drafts.map((draft): AuditEvent => {
    seq += 1;
    const event = { ...draft, seq, at: session.now, prev_hash: hash };
    hash = digest('sha256', auditText(event), 'hex');
    return { ...event, hash };
  });

  await session.insertAll(insertEvents, events);
  await session.write(moveHead, { seq, hash });
}

async function appendMessages(session: WriteSession, exchanges: readonly Exchange[], ids: NewId): Promise<void> {
  const { now } = session;
  const users = [...new Set(exchanges.map(({ user_id }) => user_id))];
  const found = await session.all(speakers, { users: JSON.stringify(users) });
  const known = new Set(found.map(({ user_id }) => user_id));
  const open = new Map<UserId, ConversationId>();
  const stale: ConversationId[] = [];
  for (const { user_id, id, last_activity_at } of found) {
    if (id === null || last_activity_at === null || !isOpen({ last_activity_at }, now)) continue;
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

export function createJournal(session: WriteSession, ids: NewId): Journal {
  let events: AuditDraft[] = [];
  let changes: EventDraft[] = [];
  let exchanges: Exchange[] = [];
  let marked = { events: 0, changes: 0, exchanges: 0 };

  return {
    record: (event) => {
      events.push(event);
    },
    emit: (change) => {
      changes.push(change);
    },
    say: (exchange) => {
      exchanges.push(exchange);
    },
    mark: () => {
      marked = { events: events.length, changes: changes.length, exchanges: exchanges.length };
    },
    forget: () => {
      events.length = marked.events;
      changes.length = marked.changes;
      exchanges.length = marked.exchanges;
    },
    clear: () => {
      events = [];
      changes = [];
      exchanges = [];
    },
    flush: async () => {
      // Sent together: on Postgres the parts of the journal share one round trip.
      const [head] = await Promise.all([
        changes.length > 0 ? appendChanges(session, changes) : null,
        events.length > 0 && appendEvents(session, events),
        exchanges.length > 0 && appendMessages(session, exchanges, ids),
      ]);
      return head;
    },
  };
}
