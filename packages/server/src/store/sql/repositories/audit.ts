import { hash as digest } from 'node:crypto';
import { type AuditDraft, type AuditEvent, auditText } from '#domain/audit';
import { isDigest, isUuid } from '#domain/bytes';
import type { Words } from '#store/sql/dialect';
import { numbered, numbersOf } from '#store/sql/numbered';
import { LIMIT } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { bulkInsert, type Statement, statement } from '#store/sql/statement';
import type { AuditActionRow, AuditActorRow, AuditEntryRow } from '#store/sql/tables';
import type { AuditQuery, Reads } from '#store/store';
import { namesOf } from './audit-names.ts';

const FILTERS = ['entity_id', 'agent_id', 'user_id', 'action', 'outcome'] as const;

// The SQLite driver refuses integers beyond 2^53. Only tampering causes them, and verification must read them.
const number = ({ dialect }: Words, name: string, column = name): string =>
  dialect === 'sqlite' ? `cast(${column} as real) as ${name}` : `${column} as ${name}`;

/** An entry in one row, as servers of earlier releases write them, and this one those with ids that are no UUIDs. */
const whole = (words: Words): string => `
  select ${number(words, 'seq')}, ${number(words, 'at')}, workspace_id, actor_kind, user_id, agent_id, token_id, action,
    outcome, entity, entity_id, idempotency_key, correlation_id, before_digest, after_digest, instruction_ref, reason,
    repeats, prev_hash, hash
  from audit_events`;

/** The same columns of an entry that refers to what is equal in many. */
const short = (words: Words): string => {
  const { uuidText, digestText } = words;
  return `
  select ${number(words, 'seq', 'entries.seq')}, ${number(words, 'at', 'entries.at')}, actors.workspace_id,
    actors.actor_kind, actors.user_id, actors.agent_id, actors.token_id, acts.action, acts.outcome, acts.entity,
    ${uuidText('entries.entity_id')} as entity_id, entries.idempotency_key,
    ${uuidText('entries.correlation_id')} as correlation_id, ${digestText('entries.before_digest')} as before_digest,
    ${digestText('entries.after_digest')} as after_digest, entries.instruction_ref, acts.reason, entries.repeats,
    ${digestText('entries.prev_hash')} as prev_hash, ${digestText('entries.hash')} as hash
  from audit_entries as entries left join audit_actors as actors on actors.id = entries.actor
    left join audit_actions as acts on acts.id = entries.act`;
};

// One after the other in the order of their numbers, whichever form they have.
const page = statement<{ readonly after: number; readonly limit: number }, AuditEvent>(
  (words) => `
    select * from (
      ${whole(words)} where audit_events.seq > :after order by audit_events.seq ${LIMIT}) as whole
    union all select * from (
      ${short(words)} where entries.seq > :after order by entries.seq ${LIMIT}) as short
    order by seq ${LIMIT}`,
);

/** The end of the chain. */
export const head = statement<object, Head>((words) => `select ${number(words, 'seq')}, hash from audit_head`);

export type Head = Pick<AuditEvent, 'seq' | 'hash'>;

const readHead = (session: Session): Promise<Head | null> => session.get(head, {});

type Filter = (typeof FILTERS)[number];
type ListParams = Pick<AuditEvent, 'workspace_id'> &
  Pick<AuditQuery, Filter | 'limit'> & {
    readonly before: number;
    readonly after: number;
    readonly entity: string | null;
  };

/** Where an entry refers to what a filter is about. */
const OWNERS = { agent_id: 'actor', user_id: 'actor', action: 'act', outcome: 'act' } as const;
const OWNER_TABLES = { actor: 'audit_actors', act: 'audit_actions' } as const;
type Owner = keyof typeof OWNER_TABLES;

const equal = (filters: readonly Filter[]): string => filters.map((name) => `and ${name} = :${name}`).join(' ');

/** The numbers of the newest short entries. Those of each actor, or each act, come in the order of an index. */
function newestShort(filters: readonly Filter[], words: Words): string {
  const owned = (owner: Owner): string => {
    const own = filters.filter((name) => name !== 'entity_id' && OWNERS[name] === owner);
    const scope = owner === 'actor' ? 'workspace_id = :workspace_id' : '1 = 1';
    return `select id from ${OWNER_TABLES[owner]} where ${scope} ${equal(own)}`;
  };
  const has = (owner: Owner): boolean => filters.some((name) => name !== 'entity_id' && OWNERS[name] === owner);
  const numbers = (condition: string): string => `
      select newest.seq from audit_entries as newest
      where newest.seq < :before and newest.seq > :after and ${condition} order by newest.seq desc ${LIMIT}`;

  // The plus keeps both databases from the index of what only filters: they would read all entries, and sort them.
  const other = {
    actor: has('act') ? `and +newest.act in (${owned('act')})` : '',
    act: `and +newest.actor in (${owned('actor')})`,
  };
  if (filters.includes('entity_id'))
    return numbers(`newest.entity_id = ${words.uuid('entity')} ${other.act} ${other.actor}`);
  const leader = has('actor') ? 'actor' : has('act') ? 'act' : null;
  if (leader === null) return numbers(`+newest.actor in (${owned('actor')})`);
  const each = numbers(`newest.${leader} = owners.id ${other[leader]}`);
  return words.dialect === 'sqlite'
    ? `select numbered.seq from (${owned(leader)}) as owners cross join audit_entries as numbered where numbered.seq in (${each})`
    : `select numbered.seq from (${owned(leader)}) as owners cross join lateral (${each}) as numbered`;
}

// Unused filters are left out of the SQL: a condition that a parameter switches off would prevent the use of an index.
function listBy(filters: readonly Filter[]): Statement<ListParams, AuditEvent> {
  const known = lists.get(filters.join());
  if (known !== undefined) return known;
  const made = statement<ListParams, AuditEvent>(
    (words) => `
      select * from (
        ${whole(words)} where workspace_id = :workspace_id and audit_events.seq < :before and audit_events.seq > :after
          ${equal(filters)}
        order by audit_events.seq desc ${LIMIT}) as whole
      union all select * from (
        ${short(words)} where entries.seq in (${newestShort(filters, words)})) as short
      order by seq desc ${LIMIT}`,
  );
  lists.set(filters.join(), made);
  return made;
}

const lists = new Map<string, Statement<ListParams, AuditEvent>>();

export const auditReads = (session: Session): Reads['audit'] => ({
  page: (after, limit) => session.all(page, { after, limit }),
  list: (workspace_id, { before, after, limit, ...filters }) => {
    const named = FILTERS.filter((name) => filters[name] !== undefined);
    const entity = isUuid(filters.entity_id) ? filters.entity_id : null;
    return session.all(listBy(named), {
      ...filters,
      workspace_id,
      entity,
      before: before ?? Number.MAX_SAFE_INTEGER,
      after: after ?? 0,
      limit,
    });
  },
  head: () => readHead(session),
  named: (asker, ids) => namesOf(session, asker, ids),
});

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

type Actor = Omit<AuditActorRow, 'id'>;
type Act = Omit<AuditActionRow, 'id'>;

const ACTORS = numbered<Actor>('audit_actors', ['workspace_id', 'actor_kind', 'user_id', 'agent_id', 'token_id']);
const ACTS = numbered<Act>('audit_actions', ['action', 'outcome', 'entity', 'reason']);

const insertEntries = bulkInsert<AuditEntryRow>('audit_entries', {
  seq: 'bigint',
  at: 'bigint',
  actor: 'bigint',
  act: 'bigint',
  entity_id: 'uuid',
  idempotency_key: 'text',
  correlation_id: 'uuid',
  before_digest: 'digest',
  after_digest: 'digest',
  instruction_ref: 'text',
  repeats: 'bigint',
  prev_hash: 'digest',
  hash: 'digest',
});

/** Whether ids and digests can be stored as bytes. Those that an app or an older client has made up cannot. */
const isShort = ({ entity_id, correlation_id, before_digest, after_digest }: AuditEvent): boolean =>
  isUuid(correlation_id) &&
  (entity_id === null || isUuid(entity_id)) &&
  [before_digest, after_digest].every((digest) => digest === null || isDigest(digest));

/** The entries with the numbers of who did what. */
async function shortened(session: WriteSession, entries: readonly AuditEvent[]): Promise<readonly AuditEntryRow[]> {
  const [actors, acts] = await Promise.all([numbersOf(session, ACTORS, entries), numbersOf(session, ACTS, entries)]);
  return entries.map((entry, i) => ({
    seq: entry.seq,
    at: entry.at,
    actor: actors[i] ?? 0,
    act: acts[i] ?? 0,
    entity_id: entry.entity_id,
    idempotency_key: entry.idempotency_key,
    correlation_id: entry.correlation_id,
    before_digest: entry.before_digest,
    after_digest: entry.after_digest,
    instruction_ref: entry.instruction_ref,
    repeats: entry.repeats,
    prev_hash: entry.prev_hash,
    hash: entry.hash,
  }));
}

const moveHead = statement<{ readonly seq: number; readonly hash: string }, never>(
  'update audit_head set seq = :seq, hash = :hash',
);

/** A draft of the time at which its change was made. */
export interface TimedDraft {
  readonly draft: AuditDraft;
  readonly at: number;
}

/** The end of the chain. The caller holds a lock against all others who append. */
export const readChain = async (session: Session): Promise<Head> => mustHaveChain(await readHead(session));

/** Throws when the row is missing. */
export function mustHaveChain(found: Head | null | undefined): Head {
  if (found == null) throw new Error('The head of the audit chain is missing: the database was tampered with.');
  return found;
}

/** Links the entries to this end of the chain. */
export async function chainEntries(session: WriteSession, end: Head, drafts: readonly TimedDraft[]): Promise<void> {
  let { seq, hash } = end;

  const entries = drafts.map(({ draft, at }): AuditEvent => {
    seq += 1;
    const entry = { ...draft, seq, at, prev_hash: hash, hash: '' };
    hash = digest('sha256', auditText(entry), 'hex');
    entry.hash = hash;
    return entry;
  });

  const short = entries.filter(isShort);
  const whole = entries.filter((entry) => !isShort(entry));
  if (short.length > 0) await session.insertAll(insertEntries, await shortened(session, short));
  if (whole.length > 0) await session.insertAll(insertEvents, whole);
  await session.write(moveHead, { seq, hash });
}

export const appendEntries = async (session: WriteSession, drafts: readonly TimedDraft[]): Promise<void> =>
  chainEntries(session, await readChain(session), drafts);
