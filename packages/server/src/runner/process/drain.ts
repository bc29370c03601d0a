import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 20;
const SILENT_LOOKS = 15;
const MAX_WAIT_MS = 10_000;

interface Streams {
  /** Those of the program. */
  readonly pipes: readonly Readable[];
  /** What its readers get of them. */
  readonly outputs: readonly Readable[];
}

/**
 * Waits until the output of an ended program is read: its pipes, and what its readers get of them. Silent output is ended
 * here: a process that is not ours to kill holds it open.
 */
export async function drain({ pipes, outputs }: Streams): Promise<void> {
  const ended = Promise.all(outputs.map(endOf)).then(() => true);
  const deadline = performance.now() + MAX_WAIT_MS;
  let [silent, before] = [0, -1];

  // Counts reads, not time: a busy event loop may not have had its turn to read.
  while (!(await Promise.race([ended, delay(LOOK_MS, false)]))) {
    const read = pipes.reduce((sum, stream) => sum + (stream instanceof Socket ? stream.bytesRead : 0), 0);
    const waiting = [...pipes, ...outputs].some((stream) => stream.readableLength > 0);
    silent = read === before && !waiting ? silent + 1 : 0;
    before = read;
    if (silent < SILENT_LOOKS && performance.now() < deadline) continue;

    for (const pipe of pipes) endNow(pipe);
    return;
  }
}

async function endOf(stream: Readable): Promise<void> {
  await finished(stream, { writable: false }).catch(() => undefined);
}

// Emits `end`, not only `close`: an iterating reader takes a close alone for a failure.
function endNow(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return;
  stream.push(null);
  setImmediate(() => stream.destroy());
}
