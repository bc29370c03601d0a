import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { TypedLines } from './board-cli.ts';

/** Reads lines from a terminal. The terminal keeps its mode, so Ctrl-C is still a signal. */
export function typedLines(input: Readable & { readonly isTTY?: boolean }): TypedLines | null {
  if (!input.isTTY) return null;
  const lines: string[] = [];
  const reader = createInterface({ input, terminal: false });
  reader.on('line', (line) => lines.push(line));
  return { take: () => lines.shift() ?? null, close: () => reader.close() };
}
