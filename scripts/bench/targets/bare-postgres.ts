import { createHash, randomUUID } from 'node:crypto';
import { argv } from 'node:process';
import pg from 'pg';
import { answer } from './answer.ts';
import { COLUMNS, HOME_QUERY, type Home, values } from './work-item.ts';

// Writes the rows of one add_task in one transaction of the driver, for as many callers as Errand has.
const callers = Number(argv[3]);
const pool = new pg.Pool({ connectionString: argv[2], max: Number(argv[4]) });
const home = (await pool.query<Home>(HOME_QUERY)).rows[0];
if (home === undefined) throw new Error('The database has no todo list.');
const { workspace_id, owner_id } = home;
const conversation_id = randomUUID();
await pool.query(
  'insert into conversations (id, workspace_id, user_id, started_at, last_activity_at) values ($1, $2, $3, $4, $4)',
  [conversation_id, workspace_id, owner_id, Date.now()],
);

const INSERT_ITEM = `insert into work_items (${COLUMNS.join(', ')}) values (${COLUMNS.map((_, i) => `$${i + 1}`).join(', ')})`;
const INSERT_KEY = `insert into idempotency (principal_id, key, tool, args_hash, result, created_at, expires_at)
  values ($1, $2, 'todo_add_task', $3, $4, $5, $6)`;
const INSERT_AUDIT = `insert into audit_events (seq, at, workspace_id, actor_kind, user_id, action, outcome, entity, entity_id,
  idempotency_key, correlation_id, prev_hash, hash) values ($1, $2, $3, 'user', $4, 'todo_add_task', 'ok', 'work_item', $5, $6, $7, $8, $9)`;
const INSERT_MESSAGES = `insert into messages (conversation_id, id, role, content, created_at)
  values ($1, $2, 'user', $3, $6), ($1, $4, 'assistant', $5, $6)`;

async function addTask(
  { workspace_id, owner_id }: Home,
  item: readonly (string | number)[],
  key: string,
): Promise<void> {
  const client = await pool.connect();
  const query = (name: string, text: string, given: readonly unknown[]) =>
    client.query({ name, text, values: [...given] });
  const now = Date.now();
  const id = String(item[0]);
  const result = JSON.stringify({ task_id: id, status: 'created', title: key });
  try {
    await client.query('begin');
    await query('key', INSERT_KEY, [owner_id, key, 'x'.repeat(64), result, now, now + 86_400_000]);
    await query('item', INSERT_ITEM, item);
    const said = [conversation_id, randomUUID(), `add_task {"title":"${key}"}`, randomUUID(), result, now];
    await query('say', INSERT_MESSAGES, said);
    // The row that every transaction changes comes last, so that others wait for its lock as briefly as possible.
    await query('touch', 'update conversations set last_activity_at = $2 where id = $1', [conversation_id, now]);
    const { rows } = await query('head', 'select seq, hash from audit_head for update', []);
    const head = rows[0] as { seq: string; hash: string };
    const seq = Number(head.seq) + 1;
    const hash = createHash('sha256')
      .update(JSON.stringify([head.hash, seq, now, id, key]))
      .digest('hex');
    const event = [seq, now, workspace_id, owner_id, id, key, randomUUID(), head.hash, hash];
    await query('audit', INSERT_AUDIT, event);
    await query('move', 'update audit_head set seq = $1, hash = $2', [seq, hash]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

answer(async (seconds) => {
  const end = performance.now() + seconds * 1000;
  let writes = 0;
  const writer = async (): Promise<void> => {
    while (performance.now() < end) {
      const key = randomUUID();
      await addTask(home, values(home, key), key);
      writes++;
    }
  };
  await Promise.all(Array.from({ length: callers }, writer));
  return writes;
});
