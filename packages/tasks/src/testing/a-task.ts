import { randomUUID } from 'node:crypto';
import type { TaskStore } from '#store';
import type { TaskRecord } from '#task';

const HOUR_MS = 3_600_000;

/** Makes a new task that no worker has claimed. */
export function aTask(overrides: Partial<TaskRecord> = {}): TaskRecord {
  const created_at = overrides.created_at ?? Date.now();
  return {
    task_id: randomUUID(),
    owner_id: 'sub:alice',
    request: { method: 'tools/call', tool: 'count', arguments: { to: 3 }, progress_token: null },
    context: {},
    status: 'working',
    status_message: null,
    outcome: null,
    draft: null,
    inputs: {},
    variables: {},
    progress: null,
    immediate_response: null,
    ttl_ms: HOUR_MS,
    poll_interval_ms: 500,
    created_at,
    updated_at: created_at,
    version: 1,
    epoch: 0,
    handed_back: 0,
    unstarted: 0,
    lease: null,
    ...overrides,
  };
}

/** Makes a task whose creation time is the store's present time. */
export const taskIn = (store: TaskStore, overrides: Partial<TaskRecord> = {}): TaskRecord =>
  aTask({ created_at: store.now(), ...overrides });

/** The next version of a record. */
export const nextOf = (record: TaskRecord, changes: Partial<TaskRecord> = {}): TaskRecord => ({
  ...record,
  version: record.version + 1,
  ...changes,
});

export const finished = (record: TaskRecord): TaskRecord =>
  nextOf(record, { status: 'completed', outcome: { kind: 'result', result: { done: true } }, lease: null });

export const requestFor = (tool: string): TaskRecord['request'] => ({
  method: 'tools/call',
  tool,
  arguments: {},
  progress_token: null,
});
