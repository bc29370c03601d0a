import type { DatabaseSync } from 'node:sqlite';
import { checkStore } from '#store/sql/check-store';
import { createCommitGroup } from '#store/sql/commit-group';
import { unusable } from '#store/sql/database-error';
import type { Session } from '#store/sql/session';
import { createReads } from '#store/sql/transaction';
import { createWatch } from '#store/sql/watch';
import type { Store } from '#store/store';
import { IN_MEMORY, migrateDatabase, openDatabase } from './open-database.ts';
import { createSqliteSession } from './sqlite-session.ts';
import { createSqliteWriter } from './sqlite-writer.ts';
import { createTokenCache } from './token-cache.ts';

const READER_TIMEOUT_MS = 250;

export interface SqliteStoreOptions {
  /** The file; `:memory:` keeps everything in this process. */
  readonly path: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Ids that sort in the order of their making. */
  readonly ids: () => string;
  /** Told of every commit: how many works shared it. */
  readonly onCommit?: ((works: number) => void) | undefined;
}

// A database in memory has one connection: it must not show what a transaction has not committed yet.
const betweenTransactions = (session: Session, idle: () => Promise<void>): Session => ({
  get: async (statement, params) => {
    await idle();
    return session.get(statement, params);
  },
  all: async (statement, params) => {
    await idle();
    return session.all(statement, params);
  },
});

/** The database with its schema up to date, or words for whoever starts the program. */
function openCurrent(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path);
    migrateDatabase(db);
    return db;
  } catch (error) {
    db?.close();
    // What the system or the driver says comes with a code; our own refusals say themselves what to do.
    const isAboutPlace = error instanceof Error && 'code' in error;
    throw unusable(
      path,
      error,
      isAboutPlace ? 'Name a folder that you may write with --data or ERRAND_DATA.' : undefined,
    );
  }
}

function openReader(path: string): DatabaseSync {
  const reader = openDatabase(path);
  reader.exec(`pragma busy_timeout = ${READER_TIMEOUT_MS}`);
  return reader;
}

export async function openSqliteStore({ path, clock, ids, onCommit }: SqliteStoreOptions): Promise<Store> {
  const db = openCurrent(path);
  // From here on a busy lock is waited for without sitting in the driver, which would stop the whole process.
  db.exec('pragma busy_timeout = 0');
  const reader = path === IN_MEMORY ? null : openReader(path);

  const writer = createSqliteWriter({ db, clock, onAccessChanged: () => tokens.forget() });
  const session =
    reader === null ? betweenTransactions(createSqliteSession(db), writer.idle) : createSqliteSession(reader);
  const tokens = createTokenCache({ writer: db, session, clock });
  const reads = createReads(session, clock);
  const watch = createWatch(reads.events.head);
  const group = createCommitGroup({ begin: writer.begin, ids, onCommit, onChanges: watch.changed });
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    await group.close();
    watch.stop();
    reader?.close();
    db.close();
  };

  return {
    reads: { ...reads, tokens: { ...reads.tokens, present: tokens.present } },
    transaction: (work) => group.transaction((tx) => work(tx)),
    sayLater: group.sayLater,
    watch: watch.add,
    check: () => group.transaction((_, writing) => checkStore(writing)),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
