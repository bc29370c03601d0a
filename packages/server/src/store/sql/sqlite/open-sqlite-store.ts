import type { DatabaseSync } from 'node:sqlite';
import type { NewId } from '#domain/ids';
import { AS_OWNER, type Opening } from '#store/opening';
import { createCommitGroup } from '#store/sql/commit-group';
import { createHealth, type OnHealth } from '#store/sql/health';
import { createLater } from '#store/sql/later';
import { checkStore } from '#store/sql/readiness';
import type { Session } from '#store/sql/session';
import { createReads } from '#store/sql/transaction';
import { createWatch } from '#store/sql/watch';
import { createWriteJournal } from '#store/sql/write-journal';
import type { Store } from '#store/store';
import { createDataVersion } from './data-version.ts';
import { createFileGuard, NO_FILES } from './file-guard.ts';
import { openCurrent } from './open-current.ts';
import { IN_MEMORY, openDatabase } from './open-database.ts';
import { createSqliteSession } from './sqlite-session.ts';
import { createSqliteWriter } from './sqlite-writer.ts';
import { createSteadyClock, readMark } from './steady-clock.ts';
import { createTokenCache } from './token-cache.ts';

const READER_TIMEOUT_MS = 250;

export interface SqliteStoreOptions {
  /** The path of the file; `:memory:` keeps everything in this process. */
  readonly path: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Makes ids that sort by their time of creation. */
  readonly ids: NewId;
  /** Called for every commit with the number of transactions in it. */
  readonly onCommit?: ((works: number) => void) | undefined;
  readonly onHealth?: OnHealth | undefined;
  /** By default the database is created and migrated. */
  readonly opening?: Opening | undefined;
}

// A database in memory has one connection: reads must wait, or they would see uncommitted changes.
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

function openReader(path: string): DatabaseSync {
  const reader = openDatabase(path);
  reader.exec(`pragma busy_timeout = ${READER_TIMEOUT_MS}`);
  return reader;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, ids, onCommit, onHealth = () => {}, opening = AS_OWNER } = options;
  const { db, schema } = openCurrent(path, opening);
  const clock = createSteadyClock({ clock: options.clock, mark: readMark(db), elapsed: () => performance.now() });
  // From here on the driver does not wait for a busy lock: that would block the whole process.
  db.exec('pragma busy_timeout = 0');
  const reader = path === IN_MEMORY ? null : openReader(path);

  const check = (): Promise<void> => group.transaction((_, writing) => checkStore(writing));
  const health = createHealth(onHealth, check);
  const guard = reader === null ? NO_FILES : createFileGuard(path, health);
  const writer = createSqliteWriter({ db, clock, guard, onAccessChanged: () => tokens.forget() });
  const session =
    reader === null
      ? betweenTransactions(createSqliteSession(db), writer.idle)
      : createSqliteSession(reader, guard.translate);
  const version = createDataVersion({ writer: db, translate: guard.translate, onOthers: () => tokens.forget() });
  const tokens = createTokenCache({ version, session, clock });
  const reads = createReads(session, clock);
  const watch = createWatch(reads.events.head);
  const later = createLater(() => group.start());
  const group = createCommitGroup({
    begin: writer.begin,
    writeJournal: createWriteJournal(ids),
    later,
    health,
    onCommit,
    onWritten: version.written,
    onChanges: watch.changed,
  });
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    health.stop();
    await group.close();
    watch.stop();
    reader?.close();
    db.close();
    guard.close();
  };

  return {
    reads: { ...reads, tokens: { ...reads.tokens, present: tokens.present } },
    has_lanes: false,
    transaction: (work) => group.transaction((tx) => work(tx)),
    sayLater: later.add,
    version: version.now,
    watch: watch.add,
    schema,
    check,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
