import type { RunSink } from '#runner/executor';

const TAIL_LINES = 20;
const TAIL_CHARACTERS = 2_000;

type Stream = 'stdout' | 'stderr';

export interface Output {
  readonly add: (stream: Stream, line: string) => void;
  /** Its last lines, those of stdout if there are any; null for a program that said nothing. */
  readonly tail: () => string | null;
  readonly complaints: () => string;
}

const joined = (lines: readonly string[]): string => lines.join('\n').trim().slice(-TAIL_CHARACTERS).toWellFormed();

/** Tells what a program prints, and remembers the end of it. */
export function keepOutput(sink: RunSink): Output {
  const tails: Readonly<Record<Stream, string[]>> = { stdout: [], stderr: [] };
  return {
    add: (stream, line) => {
      const tail = tails[stream];
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      if (line.trim() !== '') sink.feed('output', line);
    },
    tail: () => joined(tails.stdout) || joined(tails.stderr) || null,
    complaints: () => joined(tails.stderr),
  };
}
