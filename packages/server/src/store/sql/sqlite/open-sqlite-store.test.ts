import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Store } from '#store/store';
import { describeStore } from '#store/testing/contract';
import { anId, aToken, settle } from '#store/testing/contract/fixture';
import { openSqliteStore } from './open-sqlite-store.ts';

async function aFile(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-sqlite-'));
  return {
    path: join(folder, 'data', 'errand.db'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

const openAtTime = async (path: string, clock: () => number): Promise<Store & AsyncDisposable> => {
  const store = await openSqliteStore({ path, clock, ids: anId });
  return { ...store, [Symbol.asyncDispose]: store.close };
};

const openAt = (path: string): Promise<Store & AsyncDisposable> => openAtTime(path, Date.now);

describeStore('sqlite', async () => {
  const file = await aFile();
  const time = { now: 1_700_000_000_000 };
  const commits: number[] = [];
  const open = (): Promise<Store> =>
    openSqliteStore({ path: file.path, clock: () => time.now, ids: anId, onCommit: (works) => commits.push(works) });
  let store = await open();

  return {
    store,
    commits,
    elapse: async (ms) => {
      time.now += ms;
    },
    reopen: async () => {
      await store.close();
      store = await open();
      return store;
    },
    beside: async () => {
      const other = await open();
      return { ...other, [Symbol.asyncDispose]: other.close };
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await file[Symbol.asyncDispose]();
    },
  };
});

it('commits a write that is alone at once, before another turn of the event loop', async () => {
  await using file = await aFile();
  await using store = await openAt(file.path);
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });

  await store.transaction((tx) => tx.settings.put('alone', 'yes'));

  expect(hasTurned).toBe(false);
});

it('commits writes together that come in turns of the event loop one after another, as those of many callers do', async () => {
  await using file = await aFile();
  const commits: number[] = [];
  const store = await openSqliteStore({
    path: file.path,
    clock: Date.now,
    ids: anId,
    onCommit: (works) => commits.push(works),
  });
  const write = (name: string) => store.transaction((tx) => tx.settings.put(name, 'x'));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await Promise.all([write('a'), write('b')]);
  commits.length = 0;

  const writes: Promise<void>[] = [];
  for (let i = 0; i < 5; i += 1) {
    writes.push(write(`c${i}`));
    await turn();
  }
  await Promise.all(writes);
  await store.close();

  expect(commits).toEqual([5]);
});

describe('a SQLite file on a machine whose clock is set back', () => {
  const HOUR = 3_600_000;

  it('keeps tokens expired, in this process and after a restart', async () => {
    await using file = await aFile();
    const time = { now: 1_700_000_000_000 };
    const open = () => openSqliteStore({ path: file.path, clock: () => time.now, ids: anId });
    const isExpired = async (store: Store, hash: string) => {
      const presented = await store.reads.tokens.present(hash);
      return presented !== null && presented.now >= (presented.known.token.expires_at ?? Infinity);
    };
    const before = await open();
    const { user } = await settle(before);
    const token = aToken(user, { expires_at: time.now + HOUR });
    await before.transaction((tx) => tx.tokens.insert(token));
    time.now += 2 * HOUR;
    await before.check();

    time.now -= 3 * HOUR;
    expect(await isExpired(before, token.hash)).toBe(true);
    expect(await before.transaction(async (tx) => tx.now)).toBeGreaterThanOrEqual(time.now + 3 * HOUR);
    await before.close();
    await using after = await openAtTime(file.path, () => time.now);

    expect(await isExpired(after, token.hash)).toBe(true);
    expect(await after.transaction(async (tx) => tx.now)).toBeGreaterThanOrEqual(time.now + 3 * HOUR);
  });
});

describe('a SQLite file that several processes use', () => {
  it('loses no change when two of them write at once', async () => {
    await using file = await aFile();
    await using one = await openAt(file.path);
    await using two = await openAt(file.path);
    const increment = (store: Store) =>
      store.transaction(async (tx) => tx.settings.put('count', String(Number(await tx.settings.get('count')) + 1)));
    const incrementOften = async (store: Store) => {
      for (let i = 0; i < 50; i++) await Promise.all([increment(store), increment(store)]);
    };

    await Promise.all([incrementOften(one), incrementOften(two)]);

    expect(await one.reads.settings.get('count')).toBe('200');
  });

  it('waits for a lock that another process holds, without blocking everything else', async () => {
    await using file = await aFile();
    await using store = await openAt(file.path);
    using other = new DatabaseSync(file.path);
    other.exec('begin immediate');
    let written = false;

    const writing = store
      .transaction((tx) => tx.settings.put('a', 'b'))
      .then(() => {
        written = true;
      });
    await sleep(30);
    const written_under_lock = written;
    other.exec('commit');
    await writing;

    expect(written_under_lock).toBe(false);
    expect(await store.reads.settings.get('a')).toBe('b');
  });

  it('sees at once that another process has revoked a token', async () => {
    await using file = await aFile();
    await using one = await openAt(file.path);
    await using two = await openAt(file.path);
    const { workspace_id, user } = await settle(one);
    const token = aToken(user);
    await one.transaction((tx) => tx.tokens.insert(token));
    const presented = await one.reads.tokens.present(token.hash);
    expect((await one.reads.tokens.present(token.hash))?.known).toBe(presented?.known);

    await two.transaction((tx) => tx.tokens.revoke(workspace_id, token.id, 5));

    expect((await one.reads.tokens.present(token.hash))?.known.token.revoked_at).toBe(5);
  });

  it('is opened by many stores at the same moment', async () => {
    await using file = await aFile();

    const stores = await Promise.all(Array.from({ length: 8 }, () => openAt(file.path)));
    await Promise.all(stores.map((store, i) => store.transaction((tx) => tx.settings.put(`s${i}`, 'x'))));

    expect(await stores[0]?.reads.settings.get('s7')).toBe('x');
    await Promise.all(stores.map((store) => store.close()));
  });

  it('is really written by every check, so that a full disk is noticed', async () => {
    await using file = await aFile();
    await using store = await openAt(file.path);

    await store.check();
    const first = await store.reads.settings.get('last_check');
    await store.check();

    expect(first).not.toBeNull();
    expect(await store.reads.settings.get('last_check')).not.toBe(first);
  });

  it('is not indexed again by a change that keeps the words', async () => {
    await using file = await aFile();
    await using store = await openAt(file.path);
    const { aTodo } = await settle(store);
    const todo = aTodo({ description: 'with care' });
    await store.transaction((tx) => tx.workItems.insert(todo));
    using db = new DatabaseSync(file.path);
    const origin = () => db.prepare('select origin from search_index_docsize').get()?.origin;
    const before = origin();

    await store.transaction((tx) => tx.workItems.update({ ...todo, completed_at: 5, version: 2 }));
    expect(origin()).toBe(before);

    await store.transaction((tx) => tx.workItems.update({ ...todo, title: 'Other words', version: 3 }));
    expect(origin()).not.toBe(before);
  });

  it('is searched as before after it was vacuumed', async () => {
    await using file = await aFile();
    await using store = await openAt(file.path);
    const { workspace_id, user, aTodo } = await settle(store);
    const todos = ['first', 'second', 'third'].map((title) => aTodo({ title }));
    await store.transaction(async (tx) => {
      for (const todo of todos) await tx.workItems.insert(todo);
      await tx.workItems.delete(workspace_id, todos[0]?.id ?? aTodo().id);
    });

    using db = new DatabaseSync(file.path);
    db.exec('vacuum');

    const within = { workspace_id, project_ids: 'all', user_id: user.id } as const;
    const found = await store.reads.workItems.search(within, { terms: ['third'], after: null, limit: 9 });
    expect(found.map(({ title }) => title)).toEqual(['third']);
  });

  it('can be read only by its owner', async () => {
    await using file = await aFile();
    await using store = await openAt(file.path);
    await store.transaction((tx) => tx.settings.put('a', 'b'));

    const modes = await Promise.all(
      [dirname(file.path), file.path, `${file.path}-wal`].map(async (path) => (await stat(path)).mode & 0o777),
    );

    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it('answers a question after it was closed with a database error', async () => {
    await using file = await aFile();
    await using store = await openAt(file.path);
    await store.close();

    await expect(store.reads.settings.get('a')).rejects.toMatchObject({ code: 'database_error' });
  });
});
