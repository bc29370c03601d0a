import { Readable, type Writable } from 'node:stream';
import { type RpcId, readMessage, resultText } from '#json-rpc';
import { earlyRequest } from './early-requests.ts';

/** Results of early requests as JSON text, by the key of the request. */
export interface EarlyAnswers {
  readonly read: (key: string) => string | null;
  /** Is given what the program itself answered, where that differs from what `read` gave; null for a refusal. */
  readonly keep: (key: string, result: string | null) => void;
}

export interface EarlyOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly answers: Pick<EarlyAnswers, 'read'>;
  /** How many milliseconds a client may pause between two requests before the program is needed. */
  readonly idle_ms?: number;
}

/** A request that was read early, and the result that its client got; null when the result was not known. */
export interface EarlyResult {
  readonly id: RpcId;
  readonly key: string;
  readonly result: string | null;
}

export interface EarlyRead {
  /** The input from its first byte on. */
  readonly input: Readable;
  readonly results: readonly EarlyResult[];
}

const NEWLINE = 10;
/** A client that sends more than this before it asks for tools is left to the program. */
const MAX_BYTES = 65_536;
const IDLE_MS = 1_000;

/** Answers the first requests of an MCP client if their answers are known. Resolves when the program is needed and the answers are written. */
export async function readEarly({ input, output, answers, idle_ms = IDLE_MS }: EarlyOptions): Promise<EarlyRead> {
  const results = new Map<RpcId, EarlyResult>();
  let version: string | null = null;
  let written = Promise.resolve();

  /** Handles a line. Returns false when the program must answer it, or nothing after it can be answered early. */
  function receive(line: string): boolean {
    const message = parseMessage(line);
    if (message === null) return false;
    if (message.kind === 'notification') return true;
    const request = message.kind === 'request' ? earlyRequest(message, version) : null;
    if (message.kind !== 'request' || request === null || results.has(message.id)) return false;
    const { id } = message;
    const result = answers.read(request.key);
    results.set(id, { id, key: request.key, result });
    if (result === null) return false;
    version = request.version;
    written = new Promise((resolve) => output.write(`${resultText(id, result)}\n`, () => resolve()));
    return !request.is_last;
  }

  const bytes = await readLines(input, output, { receive, idle_ms });
  // Loading the program blocks this thread, so the client must have the whole list before that.
  await written;
  return { input: replay(input, bytes), results: [...results.values()] };
}

interface Lines {
  /** Returns false when no more lines are wanted. */
  readonly receive: (line: string) => boolean;
  readonly idle_ms: number;
}

/** Reads lines while they are wanted and the client sends some. Resolves to all bytes that were read. */
function readLines(input: Readable, output: Writable, { receive, idle_ms }: Lines): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  let start = 0;

  return new Promise((resolve) => {
    const timer = setTimeout(end, idle_ms);
    const ends = ['end', 'close', 'error'] as const;

    function end(): void {
      clearTimeout(timer);
      input.off('readable', take);
      for (const name of ends) input.off(name, end);
      resolve(bytes);
    }

    function take(): void {
      timer.refresh();
      for (let chunk = input.read(); chunk !== null; chunk = input.read()) bytes = Buffer.concat([bytes, chunk]);
      for (let at = bytes.indexOf(NEWLINE, start); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
        const line = bytes.toString('utf8', start, at);
        start = at + 1;
        if (receive(line)) continue;
        end();
        return;
      }
      if (bytes.length > MAX_BYTES) end();
    }

    for (const name of ends) input.on(name, end);
    // A client that no longer reads would end the process with a stack trace.
    output.on('error', end);
    input.on('readable', take);
  });
}

export function parseMessage(line: string) {
  try {
    return readMessage(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Returns the input with the read bytes put back. */
function replay(input: Readable, read: Buffer): Readable {
  // An input reports its end once: a second reader of the same input would wait for ever.
  if (input.readableEnded || input.destroyed) return Readable.from(read.length === 0 ? [] : [read]);
  if (read.length > 0) input.unshift(read);
  return input;
}
