import { randomFillSync } from 'node:crypto';
import type { NewId } from '#domain/ids';

const POOL_BYTES = 4096;
const BYTES_PER_ID = 10;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Makes UUIDs of version 7 that sort by creation, also within a millisecond and when the clock steps
 * back: lists are ordered by id.
 */
export function createUuidV7(clock: () => number): NewId {
  const pool = Buffer.allocUnsafe(POOL_BYTES);
  let at = POOL_BYTES;
  let last = 0;
  let sequence = 0;

  const hex = (offset: number): string => HEX[pool[offset] ?? 0] ?? '00';

  return <Id extends string>() => {
    if (at + BYTES_PER_ID > POOL_BYTES) {
      randomFillSync(pool);
      at = 0;
    }
    const now = clock();
    if (now > last) {
      last = now;
      sequence = pool.readUInt16BE(at) & 0x7ff;
    } else if (sequence < 0xfff) {
      sequence += 1;
    } else {
      last += 1;
      sequence = 0;
    }
    const time = last.toString(16).padStart(12, '0');
    const variant = HEX[((pool[at + 2] ?? 0) & 0x3f) | 0x80];
    const tail = hex(at + 4) + hex(at + 5) + hex(at + 6) + hex(at + 7) + hex(at + 8) + hex(at + 9);
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${hex(at + 3)}-${tail}`;
    at += BYTES_PER_ID;
    // The brand of an id exists for the compiler only.
    return id as Id;
  };
}
