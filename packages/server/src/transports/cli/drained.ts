import type { Writable } from 'node:stream';

/** Resolves when everything was written out, or after the timeout: then the reader does not read. */
export function drained(stream: Writable, patience_ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) return resolve();
    const timer = setTimeout(resolve, patience_ms);
    // The callback of the last write runs after all others.
    stream.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
