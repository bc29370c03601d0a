import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseBusy, outcomeUnknown } from '#store/sql/database-error';
import type { GroupSession } from '#store/sql/session';
import { createMemory } from '#store/sql/writer-memory';
import type { FileGuard } from './file-guard.ts';
import { isBusy, isDamage } from './sqlite-errors.ts';
import { createSqliteSession } from './sqlite-session.ts';
import { MARK_EVERY_MS, prepareMark, readMark } from './steady-clock.ts';

const GIVE_UP_MS = 10_000;
const MAX_WAIT_MS = 2;

export interface SqliteWriterOptions {
  readonly db: DatabaseSync;
  readonly clock: () => number;
  readonly guard: FileGuard;
  /** Called for a commit that changed what tokens may do. */
  readonly onAccessChanged: () => void;
}

/** The writing connection. `begin` waits for the lock without blocking the event loop. */
export function createSqliteWriter({ db, clock, guard, onAccessChanged }: SqliteWriterOptions) {
  const mark = prepareMark(db);
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');
  const savepoint = db.prepare('savepoint work');
  const release = db.prepare('release work');
  const undo = db.prepare('rollback to work');
  const data_version = db.prepare('pragma data_version');
  let seen: unknown;
  let now = 0;
  let marked = readMark(db);
  let access_changed = false;
  let ended = Promise.withResolvers<void>();
  ended.resolve();

  const memory = createMemory();
  const writing = createSqliteSession(db, guard.translate);
  const session: GroupSession = {
    ...writing,
    get writes() {
      return writing.writes();
    },
    get now() {
      return now;
    },
    remember: memory.remember,
    rememberAlways: memory.remember,
    take: () => undefined,
    accessChanged: () => {
      access_changed = true;
      memory.clear();
    },
    mark: async () => {
      savepoint.run();
    },
    keep: async () => {
      release.run();
    },
    undo: async () => {
      // A full disk rolls the whole transaction back, not only the statement.
      if (!db.isTransaction) throw new Error('The transaction of the group is gone.');
      memory.clear();
      undo.run();
      release.run();
    },
    settle: async () => {},
    commit: async () => {
      const isMarkDue = now - marked >= MARK_EVERY_MS;
      try {
        if (isMarkDue) mark(now);
        commit.run();
      } catch (error) {
        throw isDamage(error) ? guard.translate(error) : outcomeUnknown(error);
      }
      if (isMarkDue) marked = now;
      if (access_changed) onAccessChanged();
      ended.resolve();
      // Check before answering: a change in a file that was removed or moved is lost at the next start.
      guard.assertSound();
    },
    rollback: async () => {
      try {
        if (db.isTransaction) db.exec('rollback');
      } catch {
        // The next `begin` meets the same fault, and fails the transactions that wait for it.
      }
      memory.clear();
      // An unconfirmed commit may still have happened.
      if (access_changed) onAccessChanged();
      ended.resolve();
    },
  };

  async function takeLock(): Promise<void> {
    const give_up_at = performance.now() + GIVE_UP_MS;
    for (let longest = 1; ; longest = Math.min(longest * 2, MAX_WAIT_MS)) {
      try {
        return void begin.run();
      } catch (error) {
        if (!isBusy(error)) throw guard.translate(error);
        if (performance.now() > give_up_at) throw databaseBusy(error);
      }
      await sleep(Math.random() * longest);
    }
  }

  return {
    begin: async (): Promise<GroupSession> => {
      guard.assertSound();
      await takeLock();
      now = clock();
      access_changed = false;
      // What was read in earlier transactions is true until another process has committed.
      const version = data_version.get()?.data_version;
      if (version !== seen) memory.clear();
      seen = version;
      ended = Promise.withResolvers();
      return session;
    },
    /** Resolves when no transaction is open on this connection. */
    idle: async (): Promise<void> => {
      while (db.isOpen && db.isTransaction) await ended.promise;
    },
  };
}
