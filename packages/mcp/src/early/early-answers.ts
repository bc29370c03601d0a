import { Readable, Writable } from 'node:stream';
import { type RpcId, readMessage, resultText } from '#json-rpc';
import { earlyRequest } from './early-requests.ts';

/** Results of early requests as JSON text, by the key of the request. */
export interface EarlyAnswers {
  readonly read: (key: string) => string | null;
  /** Is given what the program itself answered, where that differs from what `read` gave; null for a refusal. */
  readonly keep: (key: string, result: string | null) => void;
}

/** The streams of a client whose first requests may have been answered. The program reads all its messages again. */
export interface EarlyStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Calls back when the client was given another list of tools than the program has for it. Returns the function that stops it. */
  readonly onOtherTools: (listener: () => void) => () => void;
}

interface Options {
  readonly input: Readable;
  readonly output: Writable;
  readonly answers: EarlyAnswers;
  /** How many milliseconds a client may pause between two requests before the program is loaded. */
  readonly idle_ms?: number;
}

/** A request that was read early, and its result; null when the result was not known. */
interface Met {
  readonly key: string;
  readonly result: string | null;
}

const NEWLINE = 10;
/** A client that sends more than this before it asks for tools is left to the program. */
const MAX_BYTES = 65_536;
const IDLE_MS = 1_000;

const withoutEnd = (text: string): string => text.slice(0, -1);

/** Answers the first requests of an MCP client if their answers are known. Resolves when the program is needed. */
export async function answerEarly({ input, output, answers, idle_ms = IDLE_MS }: Options): Promise<EarlyStreams> {
  const met = new Map<RpcId, Met>();
  const read = await readEarly({ input, output, answers, idle_ms }, met);
  const listeners = new Set<() => void>();
  const tellOther = (): void => {
    for (const tell of listeners) tell();
  };
  return {
    input: replay(input, read),
    output: met.size === 0 ? output : withoutRepeats(output, met, answers, tellOther),
    onOtherTools: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Reads and answers early requests. Resolves to all bytes that were read. */
function readEarly({ input, output, answers, idle_ms }: Required<Options>, met: Map<RpcId, Met>): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  let start = 0;
  let version: string | null = null;

  /** Handles a line. Returns true when the next line may be answered early too. */
  function receive(line: string, written: () => void): boolean {
    const message = parse(line);
    if (message === null) return false;
    if (message.kind === 'notification') return true;
    const request = message.kind === 'request' ? earlyRequest(message, version) : null;
    if (message.kind !== 'request' || request === null || met.has(message.id)) return false;
    const result = answers.read(request.key);
    met.set(message.id, { key: request.key, result });
    if (result === null) return false;
    version = request.version;
    // Loading the program blocks this thread, so the client must have the whole list before that.
    output.write(`${resultText(message.id, result)}\n`, request.is_last ? written : undefined);
    return true;
  }

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
        if (receive(line, end)) continue;
        end();
        return;
      }
      if (bytes.length > MAX_BYTES) end();
    }

    for (const name of ends) input.on(name, end);
    input.on('readable', take);
  });
}

function parse(line: string) {
  try {
    return readMessage(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Returns the input with the read bytes put back. */
function replay(input: Readable, read: Buffer): Readable {
  if (read.length === 0) return input;
  if (input.readableEnded || input.destroyed) return Readable.from([read]);
  input.unshift(read);
  return input;
}

/** Drops second answers to requests that were answered early, and compares them with the first. Passes all else on. */
function withoutRepeats(
  output: Writable,
  met: Map<RpcId, Met>,
  answers: EarlyAnswers,
  tellOther: () => void,
): Writable {
  /** True when the client needs this line. */
  function isNew(line: string): boolean {
    const message = parse(line);
    const first = message?.kind === 'response' ? met.get(message.id) : undefined;
    if (message?.kind !== 'response' || first === undefined) return true;
    met.delete(message.id);
    const head = withoutEnd(resultText(message.id, ''));
    const result = line.startsWith(head) ? withoutEnd(line.slice(head.length).trimEnd()) : null;
    if (result !== first.result) answers.keep(first.key, result);
    if (first.result === null) return true;
    if (result !== first.result) tellOther();
    return false;
  }

  const filtered = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      if (met.size > 0 && !isNew(String(chunk))) return done();
      output.write(chunk, done);
    },
  });
  output.on('error', (error) => filtered.destroy(error));
  output.on('close', () => filtered.destroy());
  return filtered;
}
