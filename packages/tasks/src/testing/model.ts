import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Claim, Inserted, Position, Replaced } from '#store';
import { isExpired, isTerminal, type TaskRecord } from '#task';

/** The largest accepted difference between the clocks of two machines that share a store. */
const SKEW_MS = 1_000;

/** The reference model of a store, as simple as possible: a few tasks in a map, and every query scans all of them. */
export interface Model {
  /** Returns all tasks that were inserted and not swept, also expired ones. */
  readonly all: () => readonly TaskRecord[];
  readonly insert: (record: TaskRecord, quota: number) => Inserted;
  readonly get: (owner_id: string, task_id: string) => TaskRecord | null;
  readonly replace: (record: TaskRecord) => Replaced;
  readonly list: (owner_id: string, after: Position | null, limit: number) => readonly TaskRecord[];
  /** Returns how many tasks a claim should take. */
  readonly claimable: (claim: Claim) => number;
  /** Applies a claim. The store chooses among the claimable tasks; throws when another one was taken. */
  readonly claim: (claim: Claim, taken: readonly TaskRecord[], asked_at: number) => void;
  readonly sweep: (limit: number) => number;
}

export function createModel(now: () => number): Model {
  const records = new Map<string, TaskRecord>();

  const alive = (): readonly TaskRecord[] => {
    const at = now();
    return [...records.values()].filter((record) => !isExpired(record, at));
  };
  const find = (owner_id: string, task_id: string): TaskRecord | null =>
    alive().find((record) => record.task_id === task_id && record.owner_id === owner_id) ?? null;
  const isOpen = (record: TaskRecord, { tools }: Claim): boolean =>
    !isTerminal(record.status) &&
    tools.includes(record.request.tool) &&
    (record.lease === null || record.lease.until <= now());

  return {
    all: () => [...records.values()],

    insert: (record, quota) => {
      if (records.has(record.task_id)) return 'exists';
      const unfinished = alive().filter(({ owner_id, status }) => owner_id === record.owner_id && !isTerminal(status));
      if (unfinished.length >= quota) return 'quota_exceeded';
      records.set(record.task_id, record);
      return 'inserted';
    },

    get: find,

    replace: (record) => {
      const current = find(record.owner_id, record.task_id);
      if (current?.version !== record.version - 1) return { ok: false, current };
      records.set(record.task_id, record);
      return { ok: true };
    },

    list: (owner_id, after, limit) =>
      alive()
        .filter((record) => record.owner_id === owner_id && (after === null || newestFirst(after, record) < 0))
        .toSorted(newestFirst)
        .slice(0, limit),

    claimable: (claim) => Math.min(claim.limit, alive().filter((record) => isOpen(record, claim)).length),

    claim: (claim, taken, asked_at) => {
      for (const record of taken) {
        const before = find(record.owner_id, record.task_id);
        ok(before !== null && isOpen(before, claim), `took a task that is not to be had: ${record.task_id}`);
        const until = record.lease?.until ?? 0;
        ok(until >= asked_at + claim.lease_ms - SKEW_MS, 'the lease is too short');
        ok(until <= now() + claim.lease_ms + SKEW_MS, 'the lease is too long');
        const lease = { worker_id: claim.worker_id, until };
        deepStrictEqual(record, { ...before, version: before.version + 1, epoch: before.epoch + 1, lease });
        records.set(record.task_id, record);
      }
    },

    sweep: (limit) => {
      const expired = [...records.values()].filter((record) => isExpired(record, now())).slice(0, limit);
      for (const { task_id } of expired) records.delete(task_id);
      return expired.length;
    },
  };
}

const newestFirst = (a: Position, b: Position): number =>
  b.created_at - a.created_at || (a.task_id < b.task_id ? 1 : a.task_id > b.task_id ? -1 : 0);
