import type { TaskStore } from '#store';
import type { TaskRecord } from '#task';
import { createLocalClock } from './clock.ts';
import { countBefore, createIndexes } from './memory-indexes.ts';
import { byAge, encodeText, fromRow, isClaimable, isOver, type TaskRow, toRow } from './row.ts';
import { createSignals } from './signals.ts';
import { storeClosed } from './store-away.ts';

const MAX_RECORD_BYTES = 16 * 1024 * 1024;

export interface MemoryStoreOptions {
  /** Epoch milliseconds. */
  readonly clock?: () => number;
}

/** Creates a store in this process's memory. It keeps rows, not records, so that a caller cannot change them. */
export function memoryStore({ clock }: MemoryStoreOptions = {}): TaskStore {
  const { now } = createLocalClock(clock);
  const signals = createSignals();
  const indexes = createIndexes();
  let closed = false;

  const assertOpen = (): void => {
    if (closed) throw storeClosed();
  };
  const find = (owner_id: string, task_id: string): TaskRow | null => {
    const row = indexes.get(encodeText(task_id));
    return row === undefined || row.owner_id !== encodeText(owner_id) || isOver(row, now()) ? null : row;
  };
  const liveCount = (owner_id: string): number => {
    const at = now();
    return indexes.liveOfOwner(owner_id).filter((row) => !isOver(row, at)).length;
  };
  const tell = ({ task_id }: TaskRecord, row: TaskRow): void => signals.tell({ task_id, claimable: isClaimable(row) });

  const close = async (): Promise<void> => {
    closed = true;
    signals.clear();
  };

  return {
    name: 'memory',
    max_record_bytes: MAX_RECORD_BYTES,
    now,
    subscribe: signals.subscribe,
    close,
    [Symbol.asyncDispose]: close,

    insert: async (record, quota) => {
      assertOpen();
      const row = toRow(record, MAX_RECORD_BYTES);
      if (indexes.get(row.task_id) !== undefined) return 'exists';
      if (liveCount(row.owner_id) >= quota) return 'quota_exceeded';
      indexes.put(row);
      tell(record, row);
      return 'inserted';
    },

    get: async (owner_id, task_id) => {
      assertOpen();
      const row = find(owner_id, task_id);
      return row === null ? null : fromRow(row);
    },

    replace: async (record, { quiet = false } = {}) => {
      assertOpen();
      const current = find(record.owner_id, record.task_id);
      if (current?.version !== record.version - 1) {
        return { ok: false, current: current === null ? null : fromRow(current) };
      }
      const row = toRow(record, MAX_RECORD_BYTES);
      indexes.put(row);
      if (!quiet) tell(record, row);
      return { ok: true };
    },

    list: async (owner_id, after, limit) => {
      assertOpen();
      const at = now();
      const order = indexes.orderOf(encodeText(owner_id));
      const page: TaskRecord[] = [];
      const end = after === null ? order.length : countBefore(order, { ...after, task_id: encodeText(after.task_id) });
      for (let i = end - 1; i >= 0 && page.length < limit; i--) {
        const row = indexes.get(order[i]?.task_id ?? '');
        if (row !== undefined && !isOver(row, at)) page.push(fromRow(row));
      }
      return page;
    },

    claim: async ({ worker_id, tools, lease_ms, limit }) => {
      assertOpen();
      const at = now();
      const taken = [...new Set(tools)]
        .flatMap((tool) => indexes.liveOfTool(encodeText(tool)))
        .filter((row) => !isOver(row, at) && (row.lease_until ?? 0) <= at)
        .sort(byAge)
        .slice(0, limit)
        .map((row) => ({
          ...row,
          version: row.version + 1,
          epoch: row.epoch + 1,
          worker_id: encodeText(worker_id),
          lease_until: at + lease_ms,
        }));
      for (const row of taken) indexes.put(row);
      return taken.map(fromRow);
    },

    sweep: async (limit) => {
      assertOpen();
      const at = now();
      const gone: TaskRow[] = [];
      for (const row of indexes.all()) {
        if (gone.length === limit) break;
        if (isOver(row, at)) gone.push(row);
      }
      indexes.remove(gone);
      return gone.length;
    },

    trim: async (owner_id, most) => {
      assertOpen();
      const ended = indexes
        .orderOf(encodeText(owner_id))
        .map(({ task_id }) => indexes.get(task_id))
        .filter((row) => row !== undefined && row.live === 0) as readonly TaskRow[]; // The filter keeps only rows.
      const gone = ended.slice(0, Math.max(0, ended.length - most));
      indexes.remove(gone);
      return gone.length;
    },
  };
}
