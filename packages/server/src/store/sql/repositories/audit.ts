import { hash as digest } from 'node:crypto';
import { type AuditDraft, type AuditEvent, auditText } from '#domain/audit';
import type { Words } from '#store/sql/dialect';
import { LIMIT } from '#store/sql/page';
import type { Session, WriteSession } from '#store/sql/session';
import { bulkInsert, type Statement, statement } from '#store/sql/statement';
import type { AuditQuery, Reads } from '#store/store';
import { namesOf } from './audit-names.ts';

const FILTERS = ['entity_id', 'agent_id', 'user_id', 'action', 'outcome'] as const;

// The SQLite driver refuses integers beyond 2^53. Only tampering causes them, and verification must read them.
const number = ({ dialect }: Words, name: string): string =>
  dialect === 'sqlite' ? `cast(${name} as real) as ${name}` : name;

const columns = (words: Words): string => `
  ${number(words, 'seq')}, ${number(words, 'at')}, workspace_id, actor_kind, user_id, agent_id, token_id, action,
  outcome, entity, entity_id, idempotency_key, correlation_id, before_digest, after_digest, instruction_ref, reason,
  repeats, prev_hash, hash`;

const page = statement<{ readonly after: number; readonly limit: number }, AuditEvent>(
  (words) => `
    select ${columns(words)} from audit_events
    where audit_events.seq > :after order by audit_events.seq ${LIMIT}`,
);

const head = statement<object, Pick<AuditEvent, 'seq' | 'hash'>>(
  (words) => `select ${number(words, 'seq')}, hash from audit_head`,
);

const readHead = (session: Session): ReturnType<Reads['audit']['head']> => session.get(head, {});

type Filter = (typeof FILTERS)[number];
type ListParams = Pick<AuditEvent, 'workspace_id'> & Pick<AuditQuery, Filter | 'limit'> & { readonly before: number };

// Unused filters are left out of the SQL: a condition that a parameter switches off would prevent the use of an index.
function listBy(filters: readonly Filter[]): Statement<ListParams, AuditEvent> {
  const known = lists.get(filters.join());
  if (known !== undefined) return known;
  const conditions = filters.map((name) => `and ${name} = :${name}`).join(' ');
  const made = statement<ListParams, AuditEvent>(
    (words) => `
      select ${columns(words)} from audit_events
      where workspace_id = :workspace_id and audit_events.seq < :before ${conditions}
      order by audit_events.seq desc ${LIMIT}`,
  );
  lists.set(filters.join(), made);
  return made;
}

const lists = new Map<string, Statement<ListParams, AuditEvent>>();

export const auditReads = (session: Session): Reads['audit'] => ({
  page: (after, limit) => session.all(page, { after, limit }),
  list: (workspace_id, { before, limit, ...filters }) => {
    const named = FILTERS.filter((name) => filters[name] !== undefined);
    return session.all(listBy(named), { ...filters, workspace_id, before: before ?? Number.MAX_SAFE_INTEGER, limit });
  },
  head: () => readHead(session),
  named: (workspace_id, ids) => namesOf(session, workspace_id, ids),
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

const moveHead = statement<{ readonly seq: number; readonly hash: string }, never>(
  'update audit_head set seq = :seq, hash = :hash',
);

/** A draft of the time at which its change was made. */
export interface TimedDraft {
  readonly draft: AuditDraft;
  readonly at: number;
}

/** Links the entries to the end of the chain. The caller holds a lock against all others who do. */
export async function appendEntries(session: WriteSession, drafts: readonly TimedDraft[]): Promise<void> {
  const found = await readHead(session);
  if (found === null) throw new Error('The head of the audit chain is missing: the database was tampered with.');
  let { seq, hash } = found;

  const entries = drafts.map(({ draft, at }): AuditEvent => {
    seq += 1;
    const entry = { ...draft, seq, at, prev_hash: hash };
    hash = digest('sha256', auditText(entry), 'hex');
    return { ...entry, hash };
  });

  await session.insertAll(insertEvents, entries);
  await session.write(moveHead, { seq, hash });
}
