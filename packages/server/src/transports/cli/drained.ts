import type { Writable } from 'node:stream';

/** Resolves when all that was written is with its reader, or when that took too long: then nobody reads. */
export function drained(stream: Writable, patience_ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) return resolve();
    const timer = setTimeout(resolve, patience_ms);
    // What is written last is over last.
    stream.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
