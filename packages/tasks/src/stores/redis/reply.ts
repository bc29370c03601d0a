import type { TaskRow } from '#stores/row';
import { storeAway } from '#stores/store-away';
import { COLUMNS } from './scripts.ts';

/** A row as scripts take it. */
export const toArguments = (row: TaskRow): readonly string[] => COLUMNS.map((column) => String(row[column] ?? ''));

/** A row as scripts give it; null where the hash is gone. */
export function rowOfReply(reply: unknown): TaskRow | null {
  if (!Array.isArray(reply) || reply.length !== COLUMNS.length) {
    throw storeAway(new Error('Redis answered something that is not a task.'));
  }
  if (reply[0] === null) return null;
  const [task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body] =
    reply.map(String);
  return {
    task_id: task_id ?? '',
    owner_id: owner_id ?? '',
    tool: tool ?? '',
    live: live === '1' ? 1 : 0,
    version: Number(version),
    epoch: Number(epoch),
    // A worker's name may be empty text; whether there is a lease, its end tells.
    worker_id: lease_until === '' ? null : (worker_id ?? ''),
    lease_until: numberOrNull(lease_until),
    created_at: Number(created_at),
    expires_at: numberOrNull(expires_at),
    body: body ?? '',
  };
}

export function rowsOfReply(reply: unknown): readonly TaskRow[] {
  if (!Array.isArray(reply)) throw storeAway(new Error('Redis answered something that is not a list.'));
  return reply.map(rowOfReply).filter((row) => row !== null);
}

const numberOrNull = (text: string | undefined): number | null =>
  text === undefined || text === '' ? null : Number(text);
