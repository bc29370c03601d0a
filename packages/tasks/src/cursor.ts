import { createHash } from 'node:crypto';
import { TaskError } from './errors.ts';
import type { Position } from './store.ts';

const CHECKSUM_BYTES = 12;

/**
 * Encodes a position in one owner's list as text for the requestor. The checksum refuses changed cursors and those of
 * other owners. It protects no secret, since a list shows only the owner's tasks.
 */
export function encodeCursor(owner_id: string, { created_at, task_id }: Position): string {
  const place = JSON.stringify([created_at, task_id]);
  const checksum = createHash('sha256')
    .update(JSON.stringify([owner_id, place]))
    .digest()
    .subarray(0, CHECKSUM_BYTES);
  return Buffer.concat([checksum, Buffer.from(place)]).toString('base64url');
}

export function decodeCursor(owner_id: string, text: string): Position {
  const position = readPosition(Buffer.from(text, 'base64url').subarray(CHECKSUM_BYTES).toString());
  // Compare the text: decoding ignores foreign characters and spare bits, so two texts could mean one position.
  if (position === null || encodeCursor(owner_id, position) !== text) throw unknownCursor();
  return position;
}

function readPosition(place: string): Position | null {
  try {
    const read: unknown = JSON.parse(place);
    if (!Array.isArray(read) || read.length !== 2) return null;
    const [created_at, task_id]: readonly unknown[] = read;
    return Number.isSafeInteger(created_at) && typeof task_id === 'string'
      ? { created_at: Number(created_at), task_id }
      : null;
  } catch {
    return null;
  }
}

const unknownCursor = (): TaskError =>
  new TaskError('invalid_params', 'The cursor is not one of ours. Leave it out to start over.');
