import { hash, randomUUID } from 'node:crypto';
import { createUuidV7 } from '../../../packages/server/src/store/uuid-v7.ts';

/** The rows of one `add_task`, as Errand writes them. */

const [TEXT, INTEGER, UUID, DIGEST] = ['text', 'bigint', 'uuid', 'digest'];

/** The columns of each table with their types. UUIDs and digests are stored as bytes, and are texts here. Search entries are written apart: each database has its own. */
export const TABLES = {
  work_items: {
    id: TEXT,
    workspace_id: TEXT,
    project_id: TEXT,
    number: INTEGER,
    owner_id: TEXT,
    state_id: TEXT,
    title: TEXT,
    priority: TEXT,
    sort_order: 'double precision',
    version: INTEGER,
    created_by_user_id: TEXT,
    created_at: INTEGER,
    updated_at: INTEGER,
  },
  answers: {
    principal: INTEGER,
    key: TEXT,
    args_hash: DIGEST,
    result: TEXT,
    created_at: INTEGER,
    expires_at: INTEGER,
  },
  exchanges: { conversation: INTEGER, id: UUID, at: INTEGER, request: TEXT, answer: TEXT },
  events: { seq: INTEGER, at: INTEGER, body: TEXT, shape: INTEGER, ids: DIGEST },
  audit_entries: {
    seq: INTEGER,
    at: INTEGER,
    actor: INTEGER,
    act: INTEGER,
    entity_id: UUID,
    idempotency_key: TEXT,
    correlation_id: UUID,
    after_digest: DIGEST,
    prev_hash: DIGEST,
    hash: DIGEST,
  },
} as const;

export type Table = keyof typeof TABLES;
type Row = Readonly<Record<string, string | number>>;

export const columnsOf = (table: Table): readonly string[] => Object.keys(TABLES[table]);

/** The owner of the todo list that is written to. */
export interface List {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly owner_id: string;
  readonly state_id: string;
  readonly place: number | string;
}

/** What is equal in all tasks stands in rows of its own: statements that add them, each returns the number of its row. */
export const SHARED = {
  principal: `insert into principals (name) values ('raw') returning id`,
  shape: `insert into event_shapes (shape)
    values ('raw work_item.created todo:read issue:read,board:read 0n012nn-2n') returning id`,
  actor: `insert into audit_actors (workspace_id, actor_kind, user_id, token_id)
    values ('raw', 'user', 'raw', 'raw') returning id`,
  act: `insert into audit_actions (action, outcome, entity) values ('todo_add_task', 'ok', 'work_item') returning id`,
} as const;

/** The numbers of these rows, and of the conversation. */
export type Shared = Readonly<Record<keyof typeof SHARED | 'conversation', number>>;

export const LIST_QUERY = `select p.workspace_id, p.id as project_id, p.owner_id, s.id as state_id, p.number as place
  from projects p join states s on s.project_id = p.id
  where p.kind = 'personal' and s.slug = 'todo' order by p.id desc limit 1`;

export const HEADS_QUERY = `select e.seq as event, a.seq as entry, a.hash,
  coalesce((select max(last) from item_numbers), 0) as number from event_head as e, audit_head as a`;

/** Where numbers and the chain stand. */
export interface Heads {
  event: number;
  entry: number;
  hash: string;
  number: number;
}

export const CONVERSATION = randomUUID();
const DAY_MS = 86_400_000;

const ids = createUuidV7(Date.now);

export interface Task {
  readonly title: string;
  readonly idempotency_key: string;
}

export interface Written {
  readonly rows: Readonly<Record<Table, readonly Row[]>>;
  readonly terms: string;
  /** The answer to the caller. */
  readonly text: string;
}

const withoutDashes = (...ids: readonly string[]): string => ids.join('').replaceAll('-', '');

/** Makes the rows of a task, and moves the heads. */
export function rowsOfTask(
  { list, shared }: { readonly list: List; readonly shared: Shared },
  heads: Heads,
  { title, idempotency_key }: Task,
): Written {
  const { workspace_id, project_id, owner_id, state_id, place } = list;
  const { conversation, principal, shape, actor, act } = shared;
  const at = Date.now();
  const id = ids();
  heads.number += 1;
  heads.event += 1;
  heads.entry += 1;
  const item = {
    id,
    workspace_id,
    project_id,
    number: heads.number,
    owner_id,
    state_id,
    title,
    priority: 'none',
    sort_order: at,
    version: 1,
    created_by_user_id: owner_id,
    created_at: at,
    updated_at: at,
  };
  const args = JSON.stringify({ title });
  const result = JSON.stringify({ task_id: id, status: 'created', title });
  const entry = {
    seq: heads.entry,
    at,
    actor,
    act,
    entity_id: id,
    idempotency_key,
    correlation_id: randomUUID(),
    after_digest: hash('sha256', JSON.stringify(item)),
    prev_hash: heads.hash,
  };
  heads.hash = hash('sha256', JSON.stringify([workspace_id, owner_id, ...Object.values(entry)]));
  return {
    rows: {
      work_items: [item],
      answers: [
        {
          principal,
          key: idempotency_key,
          args_hash: hash('sha256', args).slice(0, 32),
          result,
          created_at: at,
          expires_at: at + DAY_MS,
        },
      ],
      exchanges: [{ conversation, id: ids(), at, request: `add_task ${args}`, answer: result }],
      events: [{ seq: heads.event, at, body: '', shape, ids: withoutDashes(id, project_id, owner_id) }],
      audit_entries: [{ ...entry, hash: heads.hash }],
    },
    terms: [...new Set(title.toLowerCase().split(/[^a-z0-9]+/))].map((term) => `${place}!${term}`).join(' '),
    text: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: result }], structuredContent: JSON.parse(result) },
    }),
  };
}
