import { write, writeSync } from 'node:fs';

/** Each write wakes another thread: with smaller pieces that costs a busy server more than the lines themselves. */
const CHUNK_CHARACTERS = 64 * 1024;
const SOON_MS = 100;
/** When the reader stops reading, lines are dropped, so memory stays bounded. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024;
const MAX_LAST_TRIES = 20;

export interface Sink {
  readonly write: (line: string) => void;
  /** Writes the buffered lines. Call it before the process ends. */
  readonly flush: () => void;
}

const isPassing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/**
 * Writes lines to a file descriptor in chunks, without blocking the caller. When the reader is gone, such as a closed
 * terminal, it only stops writing: pino's own destination would retry for ever. Lines that come before
 * `after` is settled are held until then, or until the flush.
 */
export function createSink(fd: number, after?: Promise<void>): Sink {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let isWriting = false;
  let isGone = false;
  let isHeld = after !== undefined;
  void after?.then(() => {
    isHeld = false;
    if (waiting !== '') schedule(0);
  });

  function send(chunk: Buffer): void {
    isWriting = true;
    write(fd, chunk, 0, chunk.length, null, (error, written) => {
      if (isPassing(error)) return void setTimeout(send, SOON_MS, chunk).unref();
      if (error === null && written < chunk.length) return send(chunk.subarray(written));
      isWriting = false;
      isGone = error !== null;
      if (waiting !== '') schedule(0);
    });
  }

  function sendWaiting(): void {
    timer = undefined;
    if (isWriting || waiting === '') return;
    const chunk = Buffer.from(waiting);
    waiting = '';
    send(chunk);
  }

  function schedule(delay: number): void {
    if (isGone || isWriting || isHeld) return;
    if (delay === 0) clearTimeout(timer);
    else if (timer !== undefined) return;
    timer = setTimeout(sendWaiting, delay);
    timer.unref();
  }

  return {
    write: (line) => {
      if (isGone || waiting.length > MAX_WAITING_CHARACTERS) return;
      waiting += line;
      schedule(waiting.length >= CHUNK_CHARACTERS ? 0 : SOON_MS);
    },
    flush: () => {
      let rest = Buffer.from(isGone ? '' : waiting);
      waiting = '';
      for (let tries = 0; rest.length > 0 && tries < MAX_LAST_TRIES; tries++) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          if (!isPassing(error)) return;
        }
      }
    },
  };
}
