import { openSqliteStore, type SqliteStoreOptions } from '#store/sql/sqlite/open-sqlite-store';
import type { Store } from '#store/store';

/** A store that is gone with the process. The queries are the real ones: a second set would be a second product. */
export const openMemoryStore = (options: Omit<SqliteStoreOptions, 'path'>): Promise<Store> =>
  openSqliteStore({ ...options, path: ':memory:' });
