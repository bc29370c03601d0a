import type { Readable, Writable } from 'node:stream';
import { MAX_BODY_BYTES } from '#http/body';

const NEWLINE = 10;

export interface LineOptions {
  readonly input: Readable;
  /** Reading ends when it closes. */
  readonly output: Writable;
  readonly receive: (line: Buffer) => void;
  readonly tooLong: () => void;
}

/** Splits a byte stream into lines of bounded length. Resolves when the stream ends. */
export function createLines({ input, output, receive, tooLong }: LineOptions): Promise<void> {
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
    output.once('error', () => resolve());
    output.once('close', () => resolve());
  });
}
