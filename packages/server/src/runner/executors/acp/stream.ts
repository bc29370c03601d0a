import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { AgentProcess } from '#runner/executor';
import { readRawLines } from '#runner/executors/read-lines';

const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_OPEN = 256;

export interface StreamEvents {
  /** The parameters of a `session/update`, unchecked. */
  readonly update: (params: unknown) => void;
  /** Called for a line that is no message: agents print warnings where they should not. */
  readonly stray: (line: string) => void;
}

/** The agent broke the protocol; the message says how. */
export class BrokenProtocol extends Error {
  override readonly name = 'BrokenProtocol';
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // Safe: every object has this type.
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

async function write(stdin: Writable, message: AnyMessage): Promise<void> {
  if (stdin.write(`${JSON.stringify(message)}\n`)) return;
  const gone = new AbortController();
  stdin.once('close', () => gone.abort());
  await once(stdin, 'drain', { signal: gone.signal });
}

/** Reads the messages of an agent, with limits on how much it can make us hold. */
export function openStream({ stdin, stdout }: AgentProcess, { update, stray }: StreamEvents): Stream {
  const asked = new Set<unknown>();
  const open = new Set<unknown>();
  let isCancelled = false;
  stdin.on('error', () => undefined);

  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      let isOver = false;
      const fail = (words: string): void => {
        isOver = true;
        controller.error(new BrokenProtocol(words));
        stdout.destroy();
      };
      const pass = (message: Readonly<Record<string, unknown>>): void => {
        const { method, id } = message;
        if (method === undefined && !asked.delete(id)) return;
        const isAsked = method !== undefined && id !== undefined;
        const isTwice = isAsked && open.has(id);
        if (isAsked) open.add(id);
        if (isTwice) fail('it asked two things at once under one id');
        else if (open.size > MAX_OPEN) fail(`it asked more than ${MAX_OPEN} things at once`);
        // Safe: the connection validates messages, and refuses others.
        else controller.enqueue(message as unknown as AnyMessage);
      };
      const take = (line: string, isCut: boolean): void => {
        if (isOver || isCancelled || line.trim() === '') return;
        const message = isCut ? null : parse(line);
        if (isCut) fail('it sent a message of more than 8 MiB');
        else if (message === null) stray(line);
        else if (message.method === 'session/update' && message.id === undefined) update(message.params);
        else pass(message);
      };
      void readRawLines(stdout, MAX_CHARACTERS, take).then(() => {
        if (!isOver && !isCancelled) controller.close();
      });
    },
    cancel: () => {
      isCancelled = true;
      stdout.destroy();
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: async (message) => {
      if ('id' in message && 'method' in message) asked.add(message.id);
      else if ('id' in message) open.delete(message.id);
      await write(stdin, message);
    },
  });
  return { readable, writable };
}
