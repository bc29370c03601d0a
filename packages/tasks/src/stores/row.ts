import { TaskError } from '#errors';
import type { Position } from '#store';
import { expiresAt, isTerminal, type TaskRecord } from '#task';

/** A record as stores keep it: the fields that stores use are columns, everything else is the body. */
export interface TaskRow {
  readonly task_id: string;
  readonly owner_id: string;
  readonly tool: string;
  /** 1 until the task has ended. */
  readonly live: 0 | 1;
  readonly version: number;
  readonly epoch: number;
  readonly worker_id: string | null;
  readonly lease_until: number | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  /** JSON. */
  readonly body: string;
}

type Body = Omit<TaskRecord, 'task_id' | 'owner_id' | 'version' | 'epoch' | 'lease' | 'created_at' | 'request'> & {
  readonly request: Omit<TaskRecord['request'], 'tool'>;
};

/**
 * Encodes text for a column. Databases refuse U+0000, and UTF-8 turns every lone surrogate into the same character: two
 * owners would become one.
 */
export const encodeText = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') && !text.startsWith('"') ? text : JSON.stringify(text);

export const decodeText = (text: string): string => (text.startsWith('"') ? String(JSON.parse(text)) : text);

/** Makes the row of a record. Refuses a record whose body is larger than the store accepts. */
export function toRow(record: TaskRecord, max_record_bytes = Number.POSITIVE_INFINITY): TaskRow {
  const { task_id, owner_id, version, epoch, lease, created_at, request, ...rest } = record;
  const { tool, ...asked } = request;
  const fields: Body = { request: asked, ...rest };
  const body = JSON.stringify(fields);
  mustFit(body, max_record_bytes);
  return {
    task_id: encodeText(task_id),
    owner_id: encodeText(owner_id),
    tool: encodeText(tool),
    live: isTerminal(record.status) ? 0 : 1,
    version,
    epoch,
    worker_id: lease === null ? null : encodeText(lease.worker_id),
    lease_until: lease?.until ?? null,
    created_at,
    expires_at: expiresAt(record),
    body,
  };
}

/** Throws for a body that is too large. A UTF-16 unit has at most 3 bytes in UTF-8: most bodies need no count. */
function mustFit(body: string, max_record_bytes: number): void {
  if (body.length * 3 <= max_record_bytes || Buffer.byteLength(body) <= max_record_bytes) return;
  throw new TaskError(
    'record_too_large',
    `The task would have more than ${max_record_bytes} bytes, the most its store takes.`,
  );
}

export function fromRow(row: TaskRow): TaskRecord {
  const { task_id, owner_id, tool, version, epoch, worker_id, lease_until, created_at } = row;
  // The cast: only `toRow` writes bodies.
  const { request, ...rest } = JSON.parse(row.body) as Body;
  return {
    ...rest,
    task_id: decodeText(task_id),
    owner_id: decodeText(owner_id),
    request: { ...request, tool: decodeText(tool) },
    version,
    epoch,
    lease: worker_id === null || lease_until === null ? null : { worker_id: decodeText(worker_id), until: lease_until },
    created_at,
  };
}

/** True when a worker can claim the task now. */
export const isClaimable = ({ live, lease_until }: Pick<TaskRow, 'live' | 'lease_until'>): boolean =>
  live === 1 && lease_until === null;

export const isOver = ({ expires_at }: Pick<TaskRow, 'expires_at'>, now: number): boolean =>
  expires_at !== null && expires_at <= now;

/** Oldest first. */
export const byAge = (a: Position, b: Position): number =>
  a.created_at - b.created_at || (a.task_id < b.task_id ? -1 : Number(a.task_id > b.task_id));

/** Replaces Infinity, which databases do not have, by a number that is large enough. */
export const countable = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER);
