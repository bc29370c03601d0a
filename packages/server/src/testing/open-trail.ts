import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type AuditDraft, type AuditEvent, auditText, GENESIS_HASH } from '#domain/audit';
import { isDigest, isUuid } from '#domain/bytes';
import type { Head } from '#services/verify-chain';
import { type Dialect, WORDS, type Words } from '#store/sql/dialect';
import { openPostgresStore } from '#store/sql/postgres/open-postgres-store';
import { openSqliteStore } from '#store/sql/sqlite/open-sqlite-store';
import type { Store } from '#store/store';
import { countedIds } from './world.ts';

/** The rows of the trail's tables. */
export interface Trail {
  readonly events: readonly AuditEvent[];
  readonly head: Head | null;
}

export interface OpenTrail extends AsyncDisposable {
  readonly store: Store;
  readonly dialect: Dialect;
  /** Runs statements directly on the database. */
  readonly sql: (text: string) => Promise<void>;
}

export async function openSqliteTrail(): Promise<OpenTrail> {
  const folder = mkdtempSync(join(tmpdir(), 'errand-audit-'));
  const path = join(folder, 'errand.db');
  const store = await openSqliteStore({ path, clock: () => 1_000, ids: countedIds() });
  return {
    store,
    dialect: 'sqlite',
    sql: async (text) => {
      const db = new DatabaseSync(path);
      db.exec(text);
      db.close();
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}

export async function openPostgresTrail(server: string): Promise<OpenTrail> {
  const name = `trail_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await run(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const store = await openPostgresStore({ url: url.href, ids: countedIds() });
  return {
    store,
    dialect: 'postgres',
    sql: (text) => run(url.href, text),
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await run(server, `drop database ${name} with (force)`);
    },
  };
}

/**
 * How the entries of a trail are stored: each whole in one row, each with references to who did what, or some in one
 * way and some in the other.
 */
export type Form = 'whole' | 'short' | 'mixed';

const isShort = (form: Form, i: number): boolean => form === 'short' || (form === 'mixed' && i % 4 > 1);

const uuid = (kind: number, i: number): string =>
  `00000000-0000-4000-8000-${String(kind * 1000 + i).padStart(12, '0')}`;

const draft = (form: Form, i: number): AuditDraft => ({
  // The trail has no foreign keys: it outlives the things that it is about.
  workspace_id: 'w' as AuditDraft['workspace_id'],
  actor_kind: 'agent',
  user_id: 'u' as AuditDraft['user_id'],
  agent_id: 'a' as AuditDraft['agent_id'],
  token_id: 't' as AuditDraft['token_id'],
  action: 'tasker_create_issue',
  outcome: 'ok',
  entity: 'work_item',
  entity_id: isShort(form, i) ? uuid(1, i) : `item-${i}`,
  idempotency_key: `key-${i}`,
  correlation_id: isShort(form, i) ? uuid(2, i) : `call-${i}`,
  // Every other entry without these fields, as entries were before the fields existed.
  before_digest: i % 2 === 0 ? null : 'b'.repeat(64),
  after_digest: i % 2 === 0 ? null : 'c'.repeat(64),
  instruction_ref: i % 2 === 0 ? null : 'ticket 7',
  // Some with the fields of refusals, some without.
  reason: i % 3 === 0 ? 'unauthorized' : null,
  repeats: i % 3 === 0 ? i : null,
});

const literal = (value: string | number | null): string => {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
};

const insert = (table: string, row: object): string =>
  `insert into ${table} (${Object.keys(row).join()}) values (${Object.values(row).map(literal).join()})`;

/** The row of an entry as servers of the release before write it. */
export const wholeRow = (event: AuditEvent): string => insert('audit_events', event);

/** The rows of an entry that refers to who did what; null when its ids and digests cannot be stored as bytes. */
function shortRows(event: AuditEvent, words: Words, number: number): readonly string[] | null {
  const { workspace_id, actor_kind, user_id, agent_id, token_id, action, outcome, entity, reason, ...rest } = event;
  const bytes = (
    value: string | null,
    isOf: (text: unknown) => boolean,
    word: (name: string) => string,
  ): string | null => {
    if (value === null) return 'null';
    return isOf(value) ? word('it').replace(':it', literal(value)) : null;
  };
  const values = Object.entries(rest).map(([name, value]) => {
    if (name === 'entity_id' || name === 'correlation_id') return bytes(String(value), isUuid, words.uuid);
    if (value !== null && (name.endsWith('digest') || name.endsWith('hash')))
      return bytes(String(value), isDigest, words.digest);
    return literal(value);
  });
  if (values.includes(null)) return null;
  return [
    insert('audit_actors', { id: number, workspace_id, actor_kind, user_id, agent_id, token_id }),
    insert('audit_actions', { id: number, action, outcome, entity, reason }),
    `insert into audit_entries (${Object.keys(rest).join()}, actor, act) values (${values.join()}, ${number}, ${number})`,
  ];
}

const TABLES = ['audit_events', 'audit_entries', 'audit_actors', 'audit_actions', 'audit_head'];

/** Replaces the content of the tables with these entries and this head. */
export async function rewrite({ sql, dialect }: OpenTrail, { events, head }: Trail): Promise<void> {
  const inserts = events.flatMap((event, i) => shortRows(event, WORDS[dialect], i + 1) ?? wholeRow(event));
  const heads = head === null ? [] : [`insert into audit_head (id, seq, hash) values (1, ${head.seq}, '${head.hash}')`];
  await sql([...TABLES.map((table) => `delete from ${table}`), ...inserts, ...heads].join(';\n'));
}

/** Writes a trail of this many entries through the store. */
export async function writeTrail(trail: OpenTrail, entries: number, form: Form = 'whole'): Promise<Trail> {
  await rewrite(trail, { events: [], head: { seq: 0, hash: GENESIS_HASH } });
  for (let i = 1; i <= entries; i++) await trail.store.transaction(async (tx) => tx.record(draft(form, i)));
  const { audit } = trail.store.reads;
  return { events: await audit.page(0, entries), head: await audit.head() };
}

/** Returns the entry with its correct hash. */
export const sealed = (event: AuditEvent): AuditEvent => ({ ...event, hash: hash('sha256', auditText(event)) });

/** Chains the entries again under their numbers, with a matching head: a perfect forgery. */
export function rechained(events: readonly AuditEvent[]): Trail {
  const chain: AuditEvent[] = [];
  for (const event of events) chain.push(sealed({ ...event, prev_hash: chain.at(-1)?.hash ?? GENESIS_HASH }));
  const { seq, hash: last } = chain.at(-1) ?? { seq: 0, hash: GENESIS_HASH };
  return { events: chain, head: { seq, hash: last } };
}
