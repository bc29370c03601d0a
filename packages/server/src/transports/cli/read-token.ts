import { text } from 'node:stream/consumers';
import type { ReadStream } from 'node:tty';
import { say } from '#advice';
import { ErrandError } from '#errors';

const MAX_CHARACTERS = 4_096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the keys of a terminal in raw mode.
const ENDS = /[\r\n\u0003\u0004]/;
const INTERRUPT = '\u0003';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the keys of a terminal in raw mode.
const ERASE = /[\u0008\u007f]/;

type Keys = Pick<ReadStream, 'setRawMode' | 'setEncoding' | 'pause'> & AsyncIterable<string>;

/** Reads a line from a terminal without showing it. */
export async function hiddenLine(input: Keys): Promise<string> {
  let typed = '';
  input.setRawMode(true);
  input.setEncoding('utf8');
  try {
    for await (const chunk of input) {
      for (const character of chunk) {
        if (character === INTERRUPT) throw new ErrandError('validation_error', 'Nothing was given.');
        if (ENDS.test(character)) return typed;
        typed = ERASE.test(character) ? typed.slice(0, -1) : (typed + character).slice(0, MAX_CHARACTERS);
      }
    }
    return typed;
  } finally {
    input.setRawMode(false);
    input.pause();
  }
}

/** Reads a token: from a terminal without echo, or all of stdin for a script. It is never an argument, which others see. */
export async function readToken(fromStdin: boolean): Promise<string> {
  if (fromStdin) return (await text(process.stdin)).slice(0, MAX_CHARACTERS);
  if (!process.stdin.isTTY) {
    throw new ErrandError('validation_error', 'There is no terminal to ask for the token.', {
      hint: say`Give it on stdin: ${{ command: 'login' }} URL --token-stdin`,
    });
  }
  process.stderr.write('Token: ');
  try {
    return await hiddenLine(process.stdin);
  } finally {
    process.stderr.write('\n');
  }
}

async function askFor(field: string): Promise<string> {
  process.stderr.write(`${field[0]?.toUpperCase()}${field.slice(1)}: `);
  try {
    return await hiddenLine(process.stdin);
  } finally {
    process.stderr.write('\n');
  }
}

/** Reads fields that must not be arguments: lines from a terminal without echo, or the first lines of stdin, in order. */
export async function readTyped(fields: readonly string[]): Promise<Readonly<Record<string, string>>> {
  if (fields.length === 0) return {};
  const lines = process.stdin.isTTY ? null : (await text(process.stdin)).split(/\r?\n/);
  const read: Record<string, string> = {};
  for (const [at, field] of fields.entries()) {
    read[field] = lines === null ? await askFor(field) : (lines[at] ?? '').slice(0, MAX_CHARACTERS);
  }
  return read;
}
