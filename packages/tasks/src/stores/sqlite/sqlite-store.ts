import type { Inserted, Replaced, TaskStore } from '#store';
import { createLocalClock } from '#stores/clock';
import { byAge, countable, encodeText, fromRow, isClaimable, type TaskRow, toRow } from '#stores/row';
import { createSignals } from '#stores/signals';
import { storeReplaced } from '#stores/store-away';
import { createCommitGroup } from './commit-group.ts';
import { createFileGuard, type FileGuard } from './file-guard.ts';
import { IN_MEMORY, openDatabase } from './open-database.ts';
import { fromSqlite, whenFree } from './sqlite-errors.ts';
import { createStatements } from './statements.ts';
import { watchCommits } from './watch-commits.ts';

const MAX_RECORD_BYTES = 16 * 1024 * 1024;

export interface SqliteStoreOptions {
  /** The path of the file; `:memory:` keeps everything in this process. */
  readonly path: string;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
}

const NO_FILES: FileGuard = { findLoss: () => null, close: () => {} };

function openOrSayWhy(path: string) {
  try {
    return openDatabase(path);
  } catch (error) {
    throw fromSqlite(error);
  }
}

/** Opens a store in a SQLite file that the processes of one machine can share. */
export async function openSqliteStore({ path, clock: read }: SqliteStoreOptions): Promise<TaskStore> {
  const db = openOrSayWhy(path);
  const sql = createStatements(db);
  const clock = createLocalClock(read);
  clock.catchUp(sql.clock());
  const signals = createSignals();
  const files = path === IN_MEMORY ? NO_FILES : createFileGuard(path);
  const assertFiles = (): void => {
    const loss = files.findLoss();
    if (loss !== null) throw storeReplaced(loss);
  };
  const group = createCommitGroup({ db, sql, clock, assertFiles });
  const commits =
    path === IN_MEMORY
      ? undefined
      : watchCommits({
          path,
          version: () => sql.dataVersion(),
          onCommit: () => signals.tell({ task_id: null, claimable: true }),
        });
  let closing: Promise<void> | undefined;

  const insertRow = (row: TaskRow, { quota, now }: { readonly quota: number; readonly now: number }): Inserted => {
    if (sql.countLive(row.owner_id, now, countable(quota)) >= quota) {
      return sql.isKnown(row.task_id) === 1 ? 'exists' : 'quota_exceeded';
    }
    const { task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body } = row;
    const changes = sql.insert(
      ...[task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body],
    );
    return changes === 1 ? 'inserted' : 'exists';
  };

  const replaceRow = (row: TaskRow, now: number): Replaced => {
    const { task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body } = row;
    const changes = sql.replace(
      ...[tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body],
      ...[task_id, owner_id, version - 1, now],
    );
    if (changes === 1) return { ok: true };
    const current = sql.get(task_id, owner_id, now);
    return { ok: false, current: current === null ? null : fromRow(current) };
  };

  // Read first: workers poll every second, so an idle server would otherwise write to disk every second. Polling
  // is also the first to notice that the files are gone.
  const look = <Found>(find: (now: number) => Found): Promise<Found> =>
    whenFree(() => {
      assertFiles();
      clock.catchUp(sql.clock());
      return find(clock.now());
    });

  const close = async (): Promise<void> => {
    await group.close();
    signals.clear();
    commits?.close();
    db.close();
    files.close();
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };

  return {
    name: 'sqlite',
    max_record_bytes: MAX_RECORD_BYTES,
    now: clock.now,
    subscribe: signals.subscribe,
    check: async () => {
      assertFiles();
      await whenFree(() => sql.clock());
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,

    insert: async (record, quota) => {
      const row = toRow(record, MAX_RECORD_BYTES);
      const inserted = await group.write(row.body.length, (now) => insertRow(row, { quota, now }));
      if (inserted === 'inserted') signals.tell({ task_id: record.task_id, claimable: isClaimable(row) });
      return inserted;
    },

    get: async (owner_id, task_id) => {
      const row = await whenFree(() => sql.get(encodeText(task_id), encodeText(owner_id), clock.now()));
      return row === null ? null : fromRow(row);
    },

    replace: async (record, { quiet = false } = {}) => {
      const row = toRow(record, MAX_RECORD_BYTES);
      const replaced = await group.write(row.body.length, (now) => replaceRow(row, now));
      if (replaced.ok && !quiet) signals.tell({ task_id: record.task_id, claimable: isClaimable(row) });
      return replaced;
    },

    list: async (owner_id, after, limit) => {
      const owner = encodeText(owner_id);
      const rows = await whenFree(() =>
        after === null
          ? sql.newest(owner, clock.now(), limit)
          : sql.newestAfter(owner, clock.now(), after.created_at, encodeText(after.task_id), limit),
      );
      return rows.map(fromRow);
    },

    claim: async ({ worker_id, tools, lease_ms, limit }) => {
      const names = [...new Set(tools)].map(encodeText);
      const find = (now: number): readonly TaskRow[] =>
        names.flatMap((tool) => [...sql.free(tool, now, limit), ...sql.lapsed(tool, now, now, limit)]);
      if ((await look(find)).length === 0) return [];
      return group.write(0, (now) =>
        find(now)
          .toSorted(byAge)
          .slice(0, limit)
          .map((row) => {
            const lease = { worker_id: encodeText(worker_id), lease_until: now + lease_ms };
            const taken = { ...row, ...lease, version: row.version + 1, epoch: row.epoch + 1 };
            sql.take(taken.version, taken.epoch, taken.worker_id, taken.lease_until, taken.task_id);
            return fromRow(taken);
          }),
      );
    },

    sweep: async (limit) => {
      if ((await look((now) => sql.hasExpired(now))) === 0) return 0;
      return group.write(0, (now) => sql.sweep(now, countable(limit)));
    },

    trim: async (owner_id, most) => {
      const owner = encodeText(owner_id);
      if ((await look(() => sql.hasEndedBeyond(owner, most))) === 0) return 0;
      return group.write(0, () => sql.trim(owner, most));
    },
  };
}
