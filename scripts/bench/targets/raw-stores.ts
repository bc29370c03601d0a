import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import pg from 'pg';
import { createClient } from 'redis';
import { localDynamoDb } from './open-task-store.ts';
import { ARGUMENTS, RESULT } from './task-cycles.ts';

type Cycle = (owner_id: string) => Promise<void>;

/** The pool size with which the driver is fastest. */
const POOL = 8;

const body = (status: string): string =>
  JSON.stringify({
    request: { method: 'tools/call', arguments: ARGUMENTS, progress_token: null },
    context: {},
    status,
    status_message: null,
    outcome: status === 'working' ? null : { kind: 'result', result: RESULT },
    draft: null,
    inputs: {},
    variables: {},
    progress: null,
    immediate_response: null,
    ttl_ms: 60_000,
    poll_interval_ms: 1_000,
    updated_at: Date.now(),
  });

const TABLE = `(task_id text not null unique, owner_id text not null, tool text not null, live integer not null,
  version bigint not null, epoch bigint not null, worker_id text, lease_until bigint, created_at bigint not null,
  expires_at bigint, body text not null)`;
const INDEXES = [
  'create index bare_owner on bare (owner_id, created_at, task_id)',
  'create index bare_live on bare (owner_id, expires_at) where live = 1',
  'create index bare_free on bare (tool, created_at, task_id) where live = 1 and lease_until is null',
  'create index bare_leased on bare (tool, lease_until) where live = 1 and lease_until is not null',
  'create index bare_expiry on bare (expires_at) where expires_at is not null',
];
const row = (owner_id: string) => {
  const now = Date.now();
  return [randomUUID(), owner_id, 'render', 1, 1, 0, null, null, now, now + 60_000, body('working')] as const;
};

export async function rawSqlite(path: string): Promise<Cycle> {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec(`create table bare ${TABLE}`);
  for (const index of INDEXES) database.exec(index);
  const insert = database.prepare('insert into bare values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const select = database.prepare('select * from bare where task_id = ? and owner_id = ?');
  const update = database.prepare(
    'update bare set live = 0, version = 2, body = ? where task_id = ? and owner_id = ? and version = 1',
  );
  return async (owner_id) => {
    const values = row(owner_id);
    insert.run(...values);
    // Yield, as a call to a remote database would.
    await Promise.resolve();
    const found = select.get(values[0], owner_id);
    JSON.parse(String(found?.body));
    update.run(body('completed'), values[0], owner_id);
    await Promise.resolve();
  };
}

export async function rawPostgres(url: string): Promise<Cycle> {
  const pool = new pg.Pool({ connectionString: url, max: POOL });
  await pool.query(`create table bare ${TABLE}`);
  for (const index of INDEXES) await pool.query(index);
  const query = (name: string, text: string, values: readonly unknown[]) =>
    pool.query({ name, text, values: [...values] });
  return async (owner_id) => {
    const values = row(owner_id);
    await query('insert', 'insert into bare values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)', values);
    const { rows } = await query('select', 'select * from bare where task_id = $1 and owner_id = $2', [
      values[0],
      owner_id,
    ]);
    JSON.parse(String(rows[0]?.body));
    await query(
      'update',
      'update bare set live = 0, version = 2, body = $1 where task_id = $2 and owner_id = $3 and version = 1',
      [body('completed'), values[0], owner_id],
    );
  };
}

export async function rawRedis(url: string): Promise<Cycle> {
  const client = await createClient({ url }).connect();
  return async (owner_id) => {
    const [id, , tool, , , , , , created_at, expires_at, text] = row(owner_id);
    const key = `bare:${id}`;
    await client
      .multi()
      .hSet(key, { owner_id, tool, live: 1, version: 1, epoch: 0, created_at, expires_at, body: text })
      .zAdd(`bare:list:${owner_id}`, { score: created_at, value: id })
      .zAdd(`bare:live:${owner_id}`, { score: expires_at, value: id })
      .zAdd(`bare:claim:${tool}`, { score: created_at, value: id })
      .zAdd('bare:expiry', { score: expires_at, value: id })
      .pExpireAt(key, expires_at)
      .publish('bare', id)
      .exec();
    const found = await client.hGetAll(key);
    JSON.parse(String(found.body));
    await client
      .multi()
      .hSet(key, { live: 0, version: 2, body: body('completed') })
      .zRem(`bare:live:${owner_id}`, id)
      .zRem(`bare:claim:${tool}`, id)
      .publish('bare', id)
      .exec();
  };
}

export async function rawDynamoDb(endpoint: string): Promise<Cycle> {
  const client = localDynamoDb(endpoint);
  const TableName = 'tasks';
  return async (owner_id) => {
    const task_id = randomUUID();
    const Key = { owner_id: { S: `bare-${owner_id}` }, task_id: { S: task_id } };
    await client.send(
      new PutItemCommand({ TableName, Item: { ...Key, version: { N: '1' }, body: { S: body('working') } } }),
    );
    const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    JSON.parse(String(Item?.body?.S));
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: 'set version = :next, body = :body',
        ConditionExpression: 'version = :was',
        ExpressionAttributeValues: { ':next': { N: '2' }, ':was': { N: '1' }, ':body': { S: body('completed') } },
      }),
    );
  };
}
