import type { ServerResponse } from 'node:http';
import type { Sink } from '#gateway/events';
import { SECURITY_HEADERS } from '#transports/answer';
import { endText, eventBytes } from './wire.ts';

/** Limit of unread bytes before writing stops: a stream that is not read must not fill the memory. */
const MAX_UNREAD_BYTES = 256 * 1024;
const RETRY_MS = 1_000;
const LAST_WORDS_MS = 5_000;

/** Server-sent events on one response. */
export interface EventStream extends Sink {
  /** Sends a heartbeat. Cuts a connection that is full and was not read since the last one. */
  readonly beat: () => void;
  /** Ends the stream; with a reason, the last event tells the client not to reconnect. Nothing may be written after it. */
  readonly end: (reason?: string) => void;
}

export function openStream(res: ServerResponse): EventStream {
  let isRead = true;
  res.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  res.write(`retry: ${RETRY_MS}\n\n`);

  res.on('drain', () => {
    isRead = true;
  });

  const isGone = (): boolean => res.destroyed || res.writableEnded;
  const isFull = (): boolean => res.writableLength > MAX_UNREAD_BYTES;

  return {
    isFull,
    write: (frames) => {
      if (!isGone()) res.write(eventBytes(frames));
    },
    drained: () =>
      new Promise((resolve) => {
        if (!isFull() || isGone()) return resolve();
        const done = (): void => {
          res.off('drain', done).off('close', done);
          resolve();
        };
        res.on('drain', done).on('close', done);
      }),
    beat: () => {
      if (isGone()) return;
      if (!isFull()) res.write(':\n\n');
      else if (!isRead) res.destroy();
      isRead = !isFull();
    },
    end: (reason) => {
      if (isGone()) return;
      if (isFull()) return void res.destroy();
      res.end(reason === undefined ? '' : endText(reason));
      // Cut a client that does not read: its connection would stay open for ever.
      const timer = setTimeout(() => res.destroy(), LAST_WORDS_MS).unref();
      res.once('close', () => clearTimeout(timer));
    },
  };
}
