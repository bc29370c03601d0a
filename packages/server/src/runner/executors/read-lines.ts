import type { Readable } from 'node:stream';
import { cleanText, cutText } from './clean-text.ts';

/**
 * Tells each line of a stream, the last one also without its end. Reads no faster than lines are taken and holds one at
 * a time: of a line longer than `most` characters the rest is dropped. Resolves when the stream has ended or was destroyed.
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
    // A pipe that breaks has ended; how the program ended is known from its exit.
  }
  add(decoder.decode());
  if (held !== '') tell();
}

/** What a terminal would show of a line that was written over: what came last. */
const shown = (line: string): string => line.replace(/\r+$/, '').replace(/^.*\r/s, '');

/** The same for people to read. */
export const readLines = (stream: Readable, most: number, take: (line: string) => void): Promise<void> =>
  readRawLines(stream, most, (line, isCut) => take(cutText(cleanText(shown(isCut ? `${line}…` : line)), most)));
