import { openSqliteStore, type SqliteStoreOptions } from '#store/sql/sqlite/open-sqlite-store';
import type { Store } from '#store/store';

/** A store in memory, on the same queries: a second set of queries would be a second product. */
export const openMemoryStore = (options: Omit<SqliteStoreOptions, 'path'>): Promise<Store> =>
  openSqliteStore({ ...options, path: ':memory:' });
