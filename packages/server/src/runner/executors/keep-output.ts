import type { RunSink } from '#runner/executor';

const MAX_TAIL_LINES = 20;
const MAX_TAIL_CHARACTERS = 2_000;

type Stream = 'stdout' | 'stderr';

export interface Output {
  readonly add: (stream: Stream, line: string) => void;
  /** The last lines of the program, of stdout if there are any; null when it printed nothing. */
  readonly tail: () => string | null;
  readonly complaints: () => string;
}

const joined = (lines: readonly string[]): string => lines.join('\n').trim().slice(-MAX_TAIL_CHARACTERS).toWellFormed();

/** Sends the output of a program to the feed, and keeps its end. */
export function keepOutput(sink: RunSink): Output {
  const tails: Readonly<Record<Stream, string[]>> = { stdout: [], stderr: [] };
  return {
    add: (stream, line) => {
      const tail = tails[stream];
      tail.push(line);
      if (tail.length > MAX_TAIL_LINES) tail.shift();
      if (line.trim() !== '') sink.feed('output', line);
    },
    tail: () => joined(tails.stdout) || joined(tails.stderr) || null,
    complaints: () => joined(tails.stderr),
  };
}
