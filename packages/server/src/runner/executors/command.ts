import { setTimeout } from 'node:timers/promises';
import type { AgentProcess, Job, RunEnd, RunExecutor, RunSink } from '#runner/executor';
import { cutText } from './clean-text.ts';
import { exitFailure } from './exit-failure.ts';
import { keepOutput } from './keep-output.ts';
import { readLines } from './read-lines.ts';

const LINE = 4_000;
// A program that writes JSON puts whole files in a line.
const JSON_LINE = 1_048_576;
const LINGER_MS = 2_000;

/** Reads what a program prints, where it prints more than words for people. */
export interface OutputReader {
  /** False for a line that is none of these: it is shown as it is. */
  readonly take: (line: string) => boolean;
  /** What it said of its end, besides its exit code. */
  readonly end: () => { readonly failure: string | null; readonly summary: string | null };
}

export interface CommandCall {
  /** Behind the program's own arguments. */
  readonly args: readonly string[];
  /** What it gets on its standard input. */
  readonly input: string;
  readonly reader: OutputReader | null;
}

export interface CommandEnd extends RunEnd {
  /** The end of what it wrote on its standard error. */
  readonly complaints: string;
}

async function hear(process: AgentProcess, reads: readonly Promise<void>[]): Promise<void> {
  await process.exited;
  // What it has started may hold its output open for as long as it likes.
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
  // A program that does not read to the end breaks the pipe: that is its choice.
  process.stdin.on('error', () => undefined);
  process.stdin.end(input);
  await hear(process, [
    readLines(process.stdout, reader === null ? LINE : JSON_LINE, (line) => {
      if (!reader?.take(line)) output.add('stdout', cutText(line, LINE));
    }),
    readLines(process.stderr, LINE, (line) => output.add('stderr', line)),
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

/** Any program: the prompt on its standard input, what it prints in the feed, its exit code as the outcome. */
export const runCommand: RunExecutor = async (job, sink) => {
  const { status, reason, summary } = await callCommand(job, sink, { args: [], input: job.prompt, reader: null });
  return { status, reason, summary };
};
