import type { Readable, Writable } from 'node:stream';
import { MAX_BODY_BYTES } from '#http/body';

const NEWLINE = 10;
/** A client whose messages are all read is silent for this long. */
const QUIET_MS = 50;
/** How long messages are still read after a stop, however many come. */
const MAX_DRAIN_MS = 1_000;

/** Asks to stop once the messages that the client has already sent are read. */
export interface Stop {
  readonly signal: AbortSignal;
  /** True when the input ends by itself after a stop, because another process passes it on. */
  readonly ends_input: boolean;
}

export interface LineOptions {
  readonly input: Readable;
  /** Reading ends when it closes. */
  readonly output: Writable;
  readonly stop?: Stop | undefined;
  readonly receive: (line: Buffer) => void;
  readonly tooLong: () => void;
}

/** Splits a byte stream into lines of bounded length. Resolves when the stream ends. */
export function createLines({ input, output, stop, receive, tooLong }: LineOptions): Promise<void> {
  let pieces: Buffer[] = [];
  let size = 0;

  function add(piece: Buffer): void {
    if (size <= MAX_BODY_BYTES) pieces.push(piece);
    size += piece.length;
    if (size > MAX_BODY_BYTES) pieces = [];
  }

  function cut(): void {
    if (size > MAX_BODY_BYTES) tooLong();
    else if (size > 0) receive(Buffer.concat(pieces));
    pieces = [];
    size = 0;
  }

  return new Promise((resolve) => {
    const over = () => {
      cut();
      resolve();
    };
    input.on('data', (chunk: Buffer | string) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      let start = 0;
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
        add(bytes.subarray(start, at));
        cut();
        start = at + 1;
      }
      if (start < bytes.length) add(bytes.subarray(start));
    });
    input.once('end', over);
    input.once('close', over);
    input.once('error', over);
    // Nobody reads the answers any more. The open input would keep the process alive.
    const unread = () => {
      input.destroy();
      resolve();
    };
    // Every further write fails as well, so listen for more than the first error.
    output.on('error', unread);
    output.once('close', unread);
    if (stop !== undefined) destroyOnStop(input, stop);
  });
}

/** Destroys the input after a stop, as soon as the client's messages are read or the time is up. */
function destroyOnStop(input: Readable, { signal, ends_input }: Stop): void {
  let isQuiet = false;
  let waits = MAX_DRAIN_MS / QUIET_MS;

  function wait(): void {
    isQuiet = true;
    waits -= 1;
    // Look only after the messages that arrived while this thread was busy are read.
    setTimeout(() => setImmediate(look), QUIET_MS);
  }

  function look(): void {
    // An input that is paused waits for the client to read its answers.
    const isRead = isQuiet && !input.isPaused() && !ends_input;
    if (isRead || waits <= 0) input.destroy();
    else if (!input.destroyed && !input.readableEnded) wait();
  }

  input.on('data', () => {
    isQuiet = false;
  });
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
}
