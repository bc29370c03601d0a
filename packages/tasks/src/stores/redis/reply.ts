import type { TaskRow } from '#stores/row';
import { storeAway } from '#stores/store-away';
import { COLUMNS } from './scripts.ts';

// Columns contain no U+0000: `encodeText` replaces it.
const BETWEEN = '\0';

/** Encodes columns and body as arguments of a script. */
export const toArguments = (row: TaskRow): readonly [head: string, body: string] => [
  COLUMNS.map((column) => row[column] ?? '').join(BETWEEN),
  row.body,
];

/** Reads a task from the server's reply; null when the task is gone. */
export function rowOfReply(reply: unknown): TaskRow | null {
  const [head, body]: readonly unknown[] = Array.isArray(reply) && reply.length === 2 ? reply : [];
  if (head === null) return null;
  const columns = typeof head === 'string' ? head.split(BETWEEN) : [];
  if (columns.length !== COLUMNS.length || typeof body !== 'string') {
    throw storeAway(new Error('Redis answered something that is not a task.'));
  }
  const [
    task_id = '',
    owner_id = '',
    tool = '',
    live,
    version,
    epoch,
    worker_id = '',
    lease_until,
    created_at,
    expires_at,
  ] = columns;
  return {
    task_id,
    owner_id,
    tool,
    live: live === '1' ? 1 : 0,
    version: Number(version),
    epoch: Number(epoch),
    // The name of a worker may be empty, so `lease_until` says whether there is a lease.
    worker_id: lease_until === '' ? null : worker_id,
    lease_until: numberOrNull(lease_until),
    created_at: Number(created_at),
    expires_at: numberOrNull(expires_at),
    body,
  };
}

export function rowsOfReply(reply: unknown): readonly TaskRow[] {
  if (!Array.isArray(reply)) throw storeAway(new Error('Redis answered something that is not a list.'));
  return reply.map(rowOfReply).filter((row) => row !== null);
}

const numberOrNull = (text: string | undefined): number | null =>
  text === undefined || text === '' ? null : Number(text);
