import { setTimeout } from 'node:timers/promises';
import type { AgentProcess, Job, RunEnd, RunExecutor, RunSink } from '#runner/executor';
import { cutText } from './clean-text.ts';
import { exitFailure } from './exit-failure.ts';
import { keepOutput } from './keep-output.ts';
import { readLines } from './read-lines.ts';

const MAX_LINE_CHARACTERS = 4_000;
// A program that writes JSON may put a whole file on one line.
const MAX_JSON_LINE_CHARACTERS = 1_048_576;
const LINGER_MS = 2_000;

/** Reads a program's structured output. */
export interface OutputReader {
  /** False for any other line: it is shown unchanged. */
  readonly take: (line: string) => boolean;
  /** What the program reported about its end, besides its exit code. */
  readonly end: () => { readonly failure: string | null; readonly summary: string | null };
}

export interface CommandCall {
  /** Placed after the program's own arguments. */
  readonly args: readonly string[];
  /** The program's standard input. */
  readonly input: string;
  readonly reader: OutputReader | null;
}

export interface CommandEnd extends RunEnd {
  /** The end of the program's standard error. */
  readonly complaints: string;
}

async function hear(process: AgentProcess, reads: readonly Promise<void>[]): Promise<void> {
  await process.exited;
  // Processes that it has started may hold its output open for any time.
  const isRead = await Promise.race([
    Promise.all(reads).then(() => true),
    setTimeout(LINGER_MS, false, { ref: false }),
  ]);
  if (isRead) return;
  process.stdout.destroy();
  process.stderr.destroy();
}

/** Runs a program to its end. */
export async function callCommand(job: Job, sink: RunSink, { args, input, reader }: CommandCall): Promise<CommandEnd> {
  const process = await job.start(args);
  const output = keepOutput(sink);
  // A program that does not read all of its input breaks the pipe: that is no failure.
  process.stdin.on('error', () => undefined);
  process.stdin.end(input);
  await hear(process, [
    readLines(process.stdout, reader === null ? MAX_LINE_CHARACTERS : MAX_JSON_LINE_CHARACTERS, (line) => {
      if (!reader?.take(line)) output.add('stdout', cutText(line, MAX_LINE_CHARACTERS));
    }),
    readLines(process.stderr, MAX_LINE_CHARACTERS, (line) => output.add('stderr', line)),
  ]);

  const result = reader?.end();
  const failure = job.signal.aborted ? 'stopped' : (result?.failure ?? (await exitFailure(process)));
  return {
    status: failure === null ? 'completed' : 'failed',
    reason: failure,
    summary: result?.summary ?? output.tail(),
    complaints: output.complaints(),
  };
}

/** Runs any program: the prompt is its standard input, its output goes to the feed, its exit code is the outcome. */
export const runCommand: RunExecutor = async (job, sink) => {
  const { status, reason, summary } = await callCommand(job, sink, { args: [], input: job.prompt, reader: null });
  return { status, reason, summary };
};
