import { type Readable, Writable } from 'node:stream';
import { resultText } from '#json-rpc';
import { type EarlyAnswers, type EarlyOptions, type EarlyRead, parseMessage, readEarly } from './read-early.ts';

/** The streams of a client whose first requests may have been answered. The program reads all its messages again. */
export interface EarlyStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Calls back when the client was given another list of tools than the program has for it. Returns the function that stops it. */
  readonly onOtherTools: (listener: () => void) => () => void;
}

interface Options extends EarlyOptions {
  readonly answers: EarlyAnswers;
}

const withoutEnd = (text: string): string => text.slice(0, -1);

/** Answers the first requests of an MCP client if their answers are known. Resolves when the program is needed. */
export async function answerEarly(options: Options): Promise<EarlyStreams> {
  return resumeEarly({ ...options, ...(await readEarly(options)) });
}

/** The streams for the program, after `readEarly` in this process or in the one that started it. */
export function resumeEarly({ input, output, answers, results }: Omit<Options, 'idle_ms'> & EarlyRead): EarlyStreams {
  const listeners = new Set<() => void>();
  const tellOther = (): void => {
    for (const tell of listeners) tell();
  };
  return {
    input,
    output: results.length === 0 ? output : withoutRepeats({ output, answers, results }, tellOther),
    onOtherTools: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Drops second answers to requests that were answered early, and compares them with the first. Passes all else on. */
function withoutRepeats(
  { output, answers, results }: Pick<Options & EarlyRead, 'output' | 'answers' | 'results'>,
  tellOther: () => void,
): Writable {
  const answered = new Map(results.map((result) => [result.id, result]));

  /** True when the client needs this line. */
  function isNew(line: string): boolean {
    const message = parseMessage(line);
    const first = message?.kind === 'response' ? answered.get(message.id) : undefined;
    if (message?.kind !== 'response' || first === undefined) return true;
    answered.delete(message.id);
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
      if (answered.size > 0 && !isNew(String(chunk))) return done();
      output.write(chunk, done);
    },
  });
  output.on('error', (error) => filtered.destroy(error));
  output.on('close', () => filtered.destroy());
  return filtered;
}
