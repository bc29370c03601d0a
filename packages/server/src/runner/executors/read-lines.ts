import type { Readable } from 'node:stream';
import { cleanText, cutText } from './clean-text.ts';

/**
 * Calls back for each line of a stream, also for a last one without its end. Reads no faster than lines are taken, and
 * holds one at a time: the rest of a line longer than `most` characters is dropped. Resolves at the end of the stream.
 */
export async function readRawLines(
  stream: Readable,
  most: number,
  take: (line: string, isCut: boolean) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let held = '';
  let isCut = false;

  const tell = (): void => {
    take(held, isCut);
    held = '';
    isCut = false;
  };
  const add = (text: string): void => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) tell();
      const room = most - held.length;
      if (part.length > room) isCut = true;
      held += part.length > room ? part.slice(0, room) : part;
    }
  };

  try {
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  } catch {
    // A broken pipe is the end; the exit code says how the program ended.
  }
  add(decoder.decode());
  if (held !== '') tell();
}

/** The part of an overwritten line that a terminal would show: the last. */
const shown = (line: string): string => line.replace(/\r+$/, '').replace(/^.*\r/s, '');

/** The same, for output that people read. */
export const readLines = (stream: Readable, most: number, take: (line: string) => void): Promise<void> =>
  readRawLines(stream, most, (line, isCut) => take(cutText(cleanText(shown(isCut ? `${line}…` : line)), most)));
