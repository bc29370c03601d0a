import { hash, randomUUID } from 'node:crypto';
import { createUuidV7 } from '../../../packages/server/src/store/uuid-v7.ts';

/** The rows of one `add_task`, as Errand writes them. */

const [TEXT, INTEGER] = ['text', 'bigint'];

/** The columns of each table with their types. Search entries are written apart: each database has its own. */
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
  idempotency: {
    principal_id: TEXT,
    key: TEXT,
    tool: TEXT,
    args_hash: TEXT,
    result: TEXT,
    created_at: INTEGER,
    expires_at: INTEGER,
  },
  messages: { conversation_id: TEXT, id: TEXT, role: TEXT, content: TEXT, created_at: INTEGER },
  events: { seq: INTEGER, at: INTEGER, body: TEXT },
  audit_events: {
    seq: INTEGER,
    at: INTEGER,
    workspace_id: TEXT,
    actor_kind: TEXT,
    user_id: TEXT,
    token_id: TEXT,
    action: TEXT,
    outcome: TEXT,
    entity: TEXT,
    entity_id: TEXT,
    idempotency_key: TEXT,
    correlation_id: TEXT,
    after_digest: TEXT,
    prev_hash: TEXT,
    hash: TEXT,
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
const TOKEN = randomUUID();
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

/** Makes the rows of a task, and moves the heads. */
export function rowsOfTask(list: List, heads: Heads, { title, idempotency_key }: Task): Written {
  const { workspace_id, project_id, owner_id, state_id, place } = list;
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
  const said = { conversation_id: CONVERSATION, created_at: at };
  const body = JSON.stringify({
    workspace_id,
    kind: 'work_item.created',
    entity_id: id,
    execution_id: null,
    work_item_id: id,
    audience: {
      scope: 'todo:read',
      also: ['issue:read', 'board:read'],
      project_id,
      user_id: owner_id,
      agent_id: null,
      service_id: null,
    },
    actor: { user_id: owner_id, agent_id: null },
    data: null,
  });
  const entry = {
    seq: heads.entry,
    at,
    workspace_id,
    actor_kind: 'user',
    user_id: owner_id,
    token_id: TOKEN,
    action: 'todo_add_task',
    outcome: 'ok',
    entity: 'work_item',
    entity_id: id,
    idempotency_key,
    correlation_id: randomUUID(),
    after_digest: hash('sha256', JSON.stringify(item)),
    prev_hash: heads.hash,
  };
  heads.hash = hash('sha256', JSON.stringify(Object.values(entry)));
  return {
    rows: {
      work_items: [item],
      idempotency: [
        {
          principal_id: owner_id,
          key: idempotency_key,
          tool: 'todo_add_task',
          args_hash: hash('sha256', args),
          result,
          created_at: at,
          expires_at: at + DAY_MS,
        },
      ],
      messages: [
        { ...said, id: ids(), role: 'user', content: `add_task ${args}` },
        { ...said, id: ids(), role: 'assistant', content: result },
      ],
      events: [{ seq: heads.event, at, body }],
      audit_events: [{ ...entry, hash: heads.hash }],
    },
    terms: [...new Set(title.toLowerCase().split(/[^a-z0-9]+/))].map((term) => `${place}!${term}`).join(' '),
    text: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: result }], structuredContent: JSON.parse(result) },
    }),
  };
}
