import { cp, mkdtemp, open, rename, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { ErrandError } from '#errors';
import type { Store } from '#store/store';
import { anId, EVERYTHING, settle } from '#store/testing/contract/fixture';
import { openSqliteStore } from './open-sqlite-store.ts';

interface Opened extends AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  readonly store: Store;
  /** The reports to the operator: the code of a failure, or null when it was over. */
  readonly reported: (ErrandError['code'] | null)[];
}

async function anOpenStore(): Promise<Opened> {
  const home = await mkdtemp(join(tmpdir(), 'errand-guard-'));
  const folder = join(home, 'data');
  const path = join(folder, 'errand.db');
  const reported: Opened['reported'] = [];
  const store = await openSqliteStore({
    path,
    clock: Date.now,
    ids: anId,
    onHealth: (error) => reported.push(error === null ? null : error.code),
  });
  return {
    folder,
    path,
    store,
    reported,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await rm(home, { recursive: true });
    },
  };
}

const put = (store: Store, value: string) => store.transaction((tx) => tx.settings.put('a', value));

describe('a database whose files are removed while it is open', () => {
  it.each(['', '-wal', '-shm'])('refuses changes when errand.db%s is removed', async (suffix) => {
    await using opened = await anOpenStore();
    const { store, path, reported } = opened;
    await put(store, 'kept');

    await rm(path + suffix);

    await expect(put(store, 'lost')).rejects.toMatchObject({ code: 'database_replaced' });
    await expect(put(store, 'lost')).rejects.toMatchObject({ code: 'database_replaced' });
    await expect(store.check()).rejects.toMatchObject({ code: 'database_replaced' });
    expect(reported).toEqual(['database_replaced']);
  });

  it.each([0, 8_000])('refuses changes when its log is cut to %i bytes, and leaves the rest as it is', async (size) => {
    await using opened = await anOpenStore();
    const { store, path } = opened;
    await put(store, 'kept');
    const other = new DatabaseSync(path);
    other.exec('pragma wal_checkpoint(full)');
    for (let i = 0; i < 20; i++) await put(store, `after ${i}`);

    await truncate(`${path}-wal`, size);

    await expect(put(store, 'lost')).rejects.toMatchObject({ code: 'database_replaced' });
    await expect(store.check()).rejects.toMatchObject({ code: 'database_replaced' });
    other.close();
    await store.close();
    const left = new DatabaseSync(path);
    expect(left.prepare('pragma quick_check').all()).toEqual([{ quick_check: 'ok' }]);
    left.close();
  });

  it('goes on when another program empties the log by a checkpoint', async () => {
    await using opened = await anOpenStore();
    const { store, path } = opened;
    await put(store, 'first');
    const other = new DatabaseSync(path);

    other.exec('pragma wal_checkpoint(truncate)');
    other.close();
    await put(store, 'second');

    expect(await store.reads.settings.get('a')).toBe('second');
  });

  it('refuses a change that was committed to a file which is gone by then', async () => {
    await using opened = await anOpenStore();
    const { store, path } = opened;

    const late = store.transaction(async (tx) => {
      await tx.settings.put('a', 'lost');
      await rm(path);
    });

    await expect(late).rejects.toMatchObject({ code: 'database_replaced' });
  });

  it('refuses changes while another file is in its place, and takes them when its own is back', async () => {
    await using opened = await anOpenStore();
    const { store, folder, path, reported } = opened;
    await put(store, 'first');
    await rename(folder, `${folder}-aside`);
    await cp(`${folder}-aside`, folder, { recursive: true });

    await expect(put(store, 'lost')).rejects.toMatchObject({ code: 'database_replaced' });
    await rm(folder, { recursive: true });
    await rename(`${folder}-aside`, folder);
    await put(store, 'second');

    expect(await store.reads.settings.get('a')).toBe('second');
    expect(reported).toEqual(['database_replaced', null]);
    expect((await stat(path)).isFile()).toBe(true);
  });

  it('does not show callers the path of the file', async () => {
    await using opened = await anOpenStore();
    const { store, path, folder } = opened;
    await rm(path);

    const error = await put(store, 'lost').catch((thrown: ErrandError) => thrown);

    expect(`${error?.message} ${error?.hint}`).not.toContain(folder);
  });
});

/** Overwrites the first page of a table and of its indexes, while others have the database open. */
async function damage(path: string, table: string): Promise<void> {
  using db = new DatabaseSync(path);
  db.exec('pragma wal_checkpoint(truncate)');
  const roots = db.prepare('select rootpage from sqlite_master where tbl_name = ? and rootpage > 0').all(table);
  const file = await open(path, 'r+');
  for (const { rootpage } of roots) await file.write(Buffer.alloc(4096, 0x5a), 0, 4096, (Number(rootpage) - 1) * 4096);
  await file.close();
}

describe('a database with damaged pages', () => {
  it('is reported as damaged by every call that meets it, and accepts no more changes', async () => {
    await using opened = await anOpenStore();
    const { store, path, reported } = opened;
    const { user } = await settle(store);
    await damage(path, 'conversations');

    const read = store.reads.conversations.list(user.id, EVERYTHING);

    await expect(read).rejects.toMatchObject({ code: 'database_damaged' });
    await expect(put(store, 'x')).rejects.toMatchObject({ code: 'database_damaged' });
    await expect(store.check()).rejects.toMatchObject({ code: 'database_damaged' });
    expect(reported).toEqual(['database_damaged']);
  });

  it('is refused at the next start', async () => {
    await using opened = await anOpenStore();
    const { store, path } = opened;
    await settle(store);
    await store.close();
    await damage(path, 'conversations');

    const again = openSqliteStore({ path, clock: Date.now, ids: anId });

    await expect(again).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringContaining(path),
      hint: expect.stringContaining('backup'),
    });
  });
});
