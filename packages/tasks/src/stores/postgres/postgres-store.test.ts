import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { Signal, TaskStore } from '#store';
import { toRow } from '#stores/row';
import { aTask, finished, nextOf } from '#testing/a-task';
import { describeTaskStore } from '#testing/contract';
import { openPostgresStore } from './postgres-store.ts';
import { writeFunction } from './schema.ts';

async function ask(url: string, ...texts: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

const database = `tasks_${randomUUID().replaceAll('-', '')}`;
const url = new URL(inject('postgresUrl'));
url.pathname = `/${database}`;

beforeAll(() => ask(inject('postgresUrl'), `create database ${database}`));
afterAll(() => ask(inject('postgresUrl'), `drop database ${database} with (force)`));

let schemas = 0;
// On a busy machine an answer may take longer than a store waits for it by default.
const open = () => openPostgresStore({ url: url.href, schema: `store_${schemas}`, max_silence_ms: 60_000 });

describeTaskStore(
  'postgres',
  () => {
    schemas += 1;
    return open();
  },
  { second: open },
);

/** Opens a second client of the database, as another process would. */
async function aClient(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(url.href);
  client.on('error', () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Returns when a store waits for a lock of another client. */
async function untilOneWaits(): Promise<void> {
  await using client = await aClient();
  await vi.waitFor(async () => {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'errand-tasks'
         and datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
  });
}

const newSchema = (): string => `own_${randomUUID()}`;
const openAt = (schema: string) => openPostgresStore({ url: url.href, schema });

function hear(store: TaskStore): readonly Signal[] {
  const heard: Signal[] = [];
  store.subscribe((signal) => void heard.push(signal));
  return heard;
}

describe('a database that several processes use', () => {
  it('[S15] signals each process the writes of the other, once', async () => {
    const schema = newSchema();
    await using here = await openAt(schema);
    await using there = await openAt(schema);
    const [heard_here, heard_there] = [hear(here), hear(there)];
    const task = aTask({ task_id: '"\ud800\0' });

    await here.insert(task, 10);
    await there.replace(nextOf(task), { quiet: true });
    await there.replace(finished(nextOf(task)));
    await vi.waitFor(() => expect([heard_here.length, heard_there.length]).toEqual([2, 2]));

    const expected = [
      { task_id: task.task_id, claimable: true },
      { task_id: task.task_id, claimable: false },
    ];
    expect(heard_here).toEqual(expected);
    expect(heard_there).toEqual(expected);
  });

  it('[S15] signals that any task may have changed when the notification would be too long', async () => {
    const schema = newSchema();
    await using here = await openAt(schema);
    await using there = await openAt(schema);
    const heard = hear(there);

    const tasks = Array.from({ length: 20 }, (_, i) => aTask({ task_id: `${i}`.padStart(500, '0') }));
    await Promise.all(tasks.map((task) => here.insert(task, 100)));

    await vi.waitFor(() => expect(heard).toContainEqual({ task_id: null, claimable: true }));
  });

  it.each(['', 'no JSON', '["x", "+\\"broken"]'])(
    '[S15] survives the notification %j of someone else',
    async (payload) => {
      const schema = newSchema();
      await using store = await openAt(schema);
      const heard = hear(store);

      await ask(url.href, `notify "${schema}", '${payload}'`);

      await vi.waitFor(() => expect(heard).toEqual([{ task_id: null, claimable: true }]));
    },
  );

  it('[S15] notices a lost notification connection, and opens it again', async () => {
    const schema = newSchema();
    await using here = await openAt(schema);
    await using there = await openAt(schema);
    const heard = hear(there);

    await ask(url.href, `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen "${schema}"'`);
    await vi.waitFor(() => expect(heard).toEqual([{ task_id: null, claimable: true }]));
    const task = aTask();
    await vi.waitFor(() => here.insert(task, 10));

    await vi.waitFor(() => expect(heard).toContainEqual({ task_id: task.task_id, claimable: true }));
  });

  it('[S14] works again after every connection was cut', async () => {
    const schema = newSchema();
    await using store = await openAt(schema);
    const task = aTask();
    await store.insert(task, 10);

    await ask(
      url.href,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'errand-tasks'`,
    );

    const found = await vi.waitFor(() => store.get(task.owner_id, task.task_id));
    const replaced = await vi.waitFor(() => store.replace(finished(task)));
    expect(found).toEqual(task);
    expect(replaced).toEqual({ ok: true });
  });

  it('[S5] counts in the inserting step, after concurrent inserts of the same owner', async () => {
    const schema = newSchema();
    await using store = await openAt(schema);
    await using other = await aClient();
    const columns = Object.values(toRow(aTask())).map((value) => [value]);
    const places = columns.map((_, i) => `$${i + 2}`);
    await other.query('begin');
    await other.query(`select * from ${writeFunction(schema)}($1, '', 0, '{1}', '{null}', ${places})`, [
      schema,
      ...columns,
    ]);

    const inserting = store.insert(aTask(), 1);
    await untilOneWaits();
    await other.query('commit');

    expect(await inserting).toBe('quota_exceeded');
  });

  it('[S5] locks owners in one order', async () => {
    const schema = newSchema();
    await using store = await openAt(schema);
    await using other = await aClient();
    const owners = ['sub:alice', 'sub:bob'];
    const { rows } = await other.query(
      "select owner_id, hashtextextended($1 || ' ' || owner_id, 0)::text as key from unnest($2::text[]) owner_id order by hashtextextended($1 || ' ' || owner_id, 0)",
      [schema, owners],
    );
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock($1)', [rows[0].key]);

    const inserting = [...rows].reverse().map(({ owner_id }) => store.insert(aTask({ owner_id }), 1));
    await untilOneWaits();
    const tried = await other.query('select pg_try_advisory_xact_lock($1) as is_free', [rows[1].key]);
    await other.query('commit');

    expect(tried.rows).toEqual([{ is_free: true }]);
    expect(await Promise.all(inserting)).toEqual(['inserted', 'inserted']);
  });

  it('[S3] locks tasks in one order', async () => {
    const schema = newSchema();
    await using store = await openAt(schema);
    await using other = await aClient();
    const [first, second] = [aTask({ task_id: 'a' }), aTask({ task_id: 'b' })];
    for (const task of [first, second]) await store.insert(task, 10);
    await other.query('begin');
    await other.query(`select 1 from "${schema}".tasks where task_id = 'a' for update`);

    const replacing = [second, first].map((task) => store.replace(nextOf(task)));
    await untilOneWaits();
    const tried = await other.query(`select 1 from "${schema}".tasks where task_id = 'b' for update skip locked`);
    await other.query('commit');

    expect(tried.rows).toHaveLength(1);
    expect(await Promise.all(replacing)).toEqual([{ ok: true }, { ok: true }]);
  });

  it('[S1] is created once when many stores open it at the same time', async () => {
    const schema = newSchema();

    const stores = await Promise.all(Array.from({ length: 8 }, () => openAt(schema)));
    const answers = await Promise.all(stores.map((store) => store.insert(aTask(), 100)));
    const listed = await stores[0]?.list('sub:alice', null, 100);
    await Promise.all(stores.map((store) => store.close()));

    expect(answers).toEqual(Array.from({ length: 8 }, () => 'inserted'));
    expect(listed).toHaveLength(8);
  });

  it('[S1] needs no right to create when the schema is complete', async () => {
    const schema = newSchema();
    await using _ = await openAt(schema);
    const role = `role_${randomUUID()}`;
    await ask(
      url.href,
      `create role "${role}" login`,
      `grant usage on schema "${schema}" to "${role}"`,
      `grant select, insert, update, delete on "${schema}".tasks to "${role}"`,
    );
    const limited = new URL(url);
    limited.username = role;

    await using store = await openPostgresStore({ url: limited.href, schema });

    expect(await store.insert(aTask(), 10)).toBe('inserted');
    await store.close();
    await ask(url.href, `drop owned by "${role}"`, `drop role "${role}"`);
  });
});

it('[S1] refuses a server that confirms commits before they are on disk', async () => {
  await ask(url.href, `alter database ${database} set synchronous_commit = off`);

  const opening = openAt(newSchema());
  await opening.catch(() => {});
  await ask(url.href, `alter database ${database} reset synchronous_commit`);

  await expect(opening).rejects.toThrow('synchronous_commit=off');
});

it('[S14] rejects with `store_unavailable` when it is closed, and when there is no server', async () => {
  const store = await openAt(newSchema());
  await store.close();
  const nowhere = new URL(url);
  nowhere.port = '1';

  await expect(store.insert(aTask(), 10)).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(store.get('sub:alice', 'a')).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(openPostgresStore({ url: nowhere.href })).rejects.toMatchObject({ code: 'store_unavailable' });
});

it('[S5] accepts an infinite quota', async () => {
  await using store = await openAt(newSchema());

  expect(await store.insert(aTask(), Number.POSITIVE_INFINITY)).toBe('inserted');
});

it.each(['', 'x'.repeat(64), 'a\0b'])('[S1] refuses the schema %j', async (schema) => {
  await expect(openAt(schema)).rejects.toThrow('1 to 63 bytes');
});
