import pg from 'pg';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import type { Store } from '#store/store';
import { describeStore } from '#store/testing/contract';
import { anId, EVERYTHING, settle } from '#store/testing/contract/fixture';
import { aChange } from '#store/testing/contract/tracker-fixture';
import { aProxy } from '../../../../../../scripts/swallowing-proxy.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { fromPostgres } from './postgres-errors.ts';

async function aClient(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function ask(url: string, ...texts: readonly string[]): Promise<void> {
  const client = await aClient(url);
  for (const text of texts) await client.query(text);
  await client.end();
}

async function aDatabase(): Promise<AsyncDisposable & { readonly url: string; readonly name: string }> {
  const server = inject('postgresUrl');
  const name = `store_${process.pid}_${anId().slice(-12)}`;
  await ask(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    [Symbol.asyncDispose]: () => ask(server, `drop database ${name} with (force)`),
  };
}

const openAt = async (url: string): Promise<Store & AsyncDisposable> => {
  const store = await openPostgresStore({ url, ids: anId });
  return { ...store, [Symbol.asyncDispose]: store.close };
};

const terminate = (url: string): Promise<void> =>
  ask(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'errand'`,
  );

// The clock is the server's own: time passes for what is stored instead.
const AGE = (ms: number) => [
  `update client_sessions set created_at = created_at - ${ms}, seen_at = seen_at - ${ms}`,
  `update conversations set started_at = started_at - ${ms}, last_activity_at = last_activity_at - ${ms}`,
  `update answers set created_at = created_at - ${ms}, expires_at = expires_at - ${ms}`,
  `update idempotency set created_at = created_at - ${ms}, expires_at = expires_at - ${ms}`,
  `update tokens set expires_at = expires_at - ${ms}`,
  `update events set at = at - ${ms}`,
  `update runs set lease_until = lease_until - ${ms}`,
  `update workers set lease_until = lease_until - ${ms}`,
  `update git_jobs set lease_until = lease_until - ${ms}`,
  `update pr_watch set next_at = next_at - ${ms}`,
];

/** PL/pgSQL that runs a statement for each table with rows in a schema, with `%1$I` for the table's name. */
const onEachTable = (schema: string, statement: string): string => `
  for name in
    select relname from pg_class
    where relnamespace = '${schema}'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
  loop execute format('${statement}', name); end loop;`;

const program = (body: string): string => `do $$ declare name text; begin ${body} end $$`;

/** A database with the schema, a copy of the rows that the schema comes with, and a client that stays connected. */
async function aPreparedDatabase() {
  const database = await aDatabase();
  await (await openAt(database.url)).close();
  const copy = onEachTable('public', 'create table fresh.%1$I as table public.%1$I');
  await ask(database.url, 'create schema fresh', program(copy));
  const client = await aClient(database.url);
  return {
    url: database.url,
    client,
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

// Foreign keys are checked by triggers, which a replica does not run.
const EMPTY = program(`
  set local session_replication_role = replica;
  ${onEachTable('public', 'delete from public.%1$I')}
  ${onEachTable('fresh', 'insert into public.%1$I table fresh.%1$I')}`);

let shared: ReturnType<typeof aPreparedDatabase> | undefined;

afterAll(async () => (await shared)?.[Symbol.asyncDispose]());

describeStore('postgres', async () => {
  // A new database takes longer than a test, and so does a new schema.
  shared ??= aPreparedDatabase();
  const database = await shared;
  await database.client.query(EMPTY);
  const commits: number[] = [];
  // On a busy machine an answer may take longer than a server waits for it by default.
  const open = (): Promise<Store> =>
    openPostgresStore({
      url: database.url,
      ids: anId,
      max_silence_ms: 60_000,
      // Time passes by a change of the rows, which the store has to notice at once.
      max_access_age_ms: 0,
      onCommit: (works) => commits.push(works),
    });
  let store = await open();

  return {
    store,
    commits,
    elapse: async (ms) => void (await database.client.query(AGE(ms).join(';'))),
    reopen: async () => {
      await store.close();
      store = await open();
      return store;
    },
    beside: async () => {
      const other = await open();
      return { ...other, [Symbol.asyncDispose]: other.close };
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
});

describe('a PostgreSQL that several stores use', () => {
  it.each(['read committed', 'repeatable read', 'serializable'])(
    'loses no change when two of them write at once, by default %s',
    async (isolation) => {
      await using database = await aDatabase();
      await ask(database.url, `alter database ${database.name} set default_transaction_isolation = '${isolation}'`);
      await using one = await openAt(database.url);
      await using two = await openAt(database.url);
      const increment = (store: Store) =>
        store.transaction(async (tx) => tx.settings.put('count', String(Number(await tx.settings.get('count')) + 1)));
      const incrementOften = async (store: Store) => {
        for (let i = 0; i < 25; i++) await Promise.all([increment(store), increment(store)]);
      };

      await Promise.all([incrementOften(one), incrementOften(two)]);

      expect(await one.reads.settings.get('count')).toBe('100');
    },
  );

  it('is opened by many stores at the same moment', async () => {
    await using database = await aDatabase();

    const stores = await Promise.all(Array.from({ length: 4 }, () => openAt(database.url)));

    await Promise.all(stores.map((store) => store.check()));
    await Promise.all(stores.map((store) => store.close()));
  });

  it('uses the time of the server, not that of the store’s machine', async () => {
    await using database = await aDatabase();
    await using store = await openAt(database.url);
    const before = Date.now();
    vi.useFakeTimers({ now: 0, toFake: ['Date'] });

    const now = await store.transaction(async (tx) => tx.now);

    vi.useRealTimers();
    expect(now).toBeGreaterThanOrEqual(before - 1000);
  });
});

describe.concurrent('a PostgreSQL that goes away', () => {
  it('fails interrupted calls with a retryable error, and recovers by itself', async () => {
    await using database = await aDatabase();
    await using store = await openAt(database.url);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await store.reads.settings.get('a');

    const interrupted = store.transaction(async (tx) => {
      await tx.settings.put('a', 'lost');
      begun.resolve();
      await goOn.promise;
      await tx.settings.get('a');
    });
    const failed = expect(interrupted).rejects.toMatchObject({
      code: 'database_error',
      retry_after_ms: expect.any(Number),
    });
    await begun.promise;
    await terminate(database.url);
    goOn.resolve();
    await failed;

    await vi.waitFor(() => store.transaction((tx) => tx.settings.put('b', 'kept')));
    await vi.waitFor(async () => expect(await store.reads.settings.get('b')).toBe('kept'));
    expect(await store.reads.settings.get('a')).toBeNull();
  });

  it('keeps deferred messages until it is back', async () => {
    await using database = await aDatabase();
    await using store = await openAt(database.url);
    const { user } = await settle(store);
    const server = inject('postgresUrl');
    await ask(server, `alter database ${database.name} allow_connections false`);
    await ask(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`);

    store.sayLater({
      workspace_id: user.workspace_id,
      user_id: user.id,
      messages: [{ role: 'user', content: 'hello' }],
    });
    await expect(store.check()).rejects.toMatchObject({ code: 'database_error' });
    await ask(server, `alter database ${database.name} allow_connections true`);

    await vi.waitFor(async () => expect(await store.reads.conversations.list(user.id, EVERYTHING)).toHaveLength(1));
  });
});

describe.concurrent('a PostgreSQL whose connections are half open', () => {
  it('fails calls instead of keeping them, reports it once, and recovers by itself', async () => {
    await using database = await aDatabase();
    using proxy = await aProxy(database.url);
    const reported: (string | null)[] = [];
    const store = await openPostgresStore({
      url: proxy.url,
      ids: anId,
      max_silence_ms: 1000,
      onHealth: (error) => reported.push(error === null ? null : error.code),
    });
    const put = () => store.transaction((tx) => tx.settings.put('a', 'b'));
    await put();
    await store.reads.settings.get('a');

    proxy.swallow();
    const refused = { code: 'database_error', retry_after_ms: expect.any(Number) };
    const calls = [put(), store.reads.settings.get('a')];
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(refused)));
    proxy.letThrough();

    await vi.waitFor(put);
    await vi.waitFor(async () => expect(await store.reads.settings.get('a')).toBe('b'));
    await store.close();
    expect(reported).toEqual(['database_error', null]);
  });
});

describe.concurrent('a PostgreSQL that a listener waits for', () => {
  it('sends events again after it went away', async () => {
    await using database = await aDatabase();
    await using store = await openAt(database.url);
    await using other = await openAt(database.url);
    const { user } = await settle(other);
    const emit = () => other.transaction(async (tx) => tx.emit(aChange(user)));
    let reported = 0;
    store.watch(() => {
      reported += 1;
    });
    await emit();
    await vi.waitFor(() => expect(reported).toBe(1));

    await terminate(database.url);
    await vi.waitFor(emit);

    await vi.waitFor(() => expect(reported).toBeGreaterThan(1));
  });
});

describe.concurrent('a PostgreSQL that the store must not use', () => {
  it('is refused when it confirms before it has written', async () => {
    await using database = await aDatabase();
    await ask(database.url, `alter database ${database.name} set synchronous_commit = off`);

    await expect(openAt(database.url)).rejects.toThrow('synchronous_commit=off');
  });

  it('is refused when it is newer than the program', async () => {
    await using database = await aDatabase();
    await (await openAt(database.url)).close();
    await ask(database.url, `insert into migrations (name, applied_at) values ('9999-from-the-future', 1)`);

    await expect(openAt(database.url)).rejects.toThrow('newer than this program');
  });

  it('refuses a write with advice while it is read-only, and accepts it when it is writable again', async () => {
    await using database = await aDatabase();
    await using store = await openAt(database.url);
    const put = () => store.transaction((tx) => tx.settings.put('a', '1'));
    await ask(database.url, `alter database ${database.name} set default_transaction_read_only = on`);
    await terminate(database.url);
    await put().catch(() => {});

    await expect(put()).rejects.toMatchObject({ code: 'database_error', retry_after_ms: expect.any(Number) });
    await ask(inject('postgresUrl'), `alter database ${database.name} reset default_transaction_read_only`);

    await vi.waitFor(put);
  });

  it('is refused when it cannot be reached, and the hint names the setting', async () => {
    await expect(openAt('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
      code: 'database_error',
      hint: 'Start the database, or give its address with --database-url or ERRAND_DATABASE_URL.',
    });
  });
});

it('may be asked again when it has ended a transaction in which this process was too long silent', async () => {
  const client = await aClient(inject('postgresUrl'));
  const ended = new Promise<unknown>((resolve) => client.once('error', resolve));
  await client.query('set idle_in_transaction_session_timeout = 1');
  await client.query('begin');

  expect(fromPostgres(await ended)).toMatchObject({ code: 'database_error', retry_after_ms: 1000 });
});
