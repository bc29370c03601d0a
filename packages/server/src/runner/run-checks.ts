import { type Check, type CheckedRun, type CheckStatus, MAX_CHECK_OUTPUT, verdictOf } from '#domain/check';
import type { ClaimedRun } from '#services/runs/queue';
import { type PreparedRepo, workingFolder } from './attempt-repos.ts';
import type { WantedCheck } from './checks-config.ts';
import type { AgentProcess } from './executor.ts';
import { readLines } from './executors/read-lines.ts';
import { hideToken } from './hide-token.ts';
import { RunFailure } from './run-failure.ts';
import type { RunHold } from './run-hold.ts';
import type { RunPrograms } from './run-programs.ts';
import type { OpenSink } from './run-sink.ts';

export interface CheckNeeds {
  readonly claimed: ClaimedRun;
  readonly hold: RunHold;
  readonly sink: OpenSink;
  readonly programs: RunPrograms;
  /** The environment of a check: without the token of the run. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: () => number;
}

const MAX_LINE_CHARACTERS = 4_000;
const CHECKED_BY_CI = { CI: '1' };

/** The end of what a check writes. */
function createTail(secret: string) {
  let text = '';
  return {
    add: (line: string): void => {
      text = `${text}${hideToken(line, secret)}\n`;
      if (text.length > 2 * MAX_CHECK_OUTPUT) text = text.slice(-MAX_CHECK_OUTPUT);
    },
    text: (): string => text.slice(-MAX_CHECK_OUTPUT).toWellFormed(),
  };
}

interface Ended {
  readonly status: CheckStatus;
  readonly exit_code: number | null;
}

/** Waits for a program, and ends it when its time is over or the run must stop. */
async function untilEnded(program: AgentProcess, timeout_s: number, signal: AbortSignal): Promise<Ended> {
  let isLate = false;
  const stop = (): void => void program.stop();
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeout_s * 1_000);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const { code } = await program.exited;
    if (signal.aborted) return { status: 'stopped', exit_code: null };
    if (isLate) return { status: 'timed_out', exit_code: null };
    return { status: code === 0 ? 'passed' : 'failed', exit_code: code };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** How a check ended, as the step shows it. */
function wordsFor({ status, exit_code }: Ended, seconds: number): string {
  if (status === 'passed') return `passed in ${seconds} s`;
  if (status === 'timed_out') return `stopped: it took more than ${seconds} s`;
  if (status === 'stopped') return 'stopped';
  return exit_code === null ? `ended by a signal after ${seconds} s` : `exit ${exit_code} after ${seconds} s`;
}

/** Runs the checks of the operator's configuration, one after another: a failed one does not stop the others. */
export async function runChecks(
  needs: CheckNeeds,
  prepared: readonly PreparedRepo[],
  wanted: readonly WantedCheck[],
): Promise<CheckedRun> {
  const checks: Check[] = [];
  for (const [index, check] of wanted.entries()) {
    if (needs.hold.signal.aborted) break;
    checks.push(await runCheck(needs, { prepared, check, seq: index + 1 }));
  }
  return { checks, verdict: checks.length < wanted.length ? null : verdictOf(checks) };
}

interface OneCheck {
  readonly prepared: readonly PreparedRepo[];
  readonly check: WantedCheck;
  readonly seq: number;
}

async function runCheck(needs: CheckNeeds, { prepared, check, seq }: OneCheck): Promise<Check> {
  const { claimed, sink, clock } = needs;
  const { name, repo_id, command, timeout_s } = check;
  const repo = prepared.find((one) => one.repo.repo_id === repo_id);
  const key = `check ${seq}`;
  const step = {
    name: repo === undefined ? `Check: ${name}` : `Check: ${name} (${repo.name})`,
    source: 'script',
  } as const;
  const tail = createTail(claimed.secret);
  const started_at = clock();
  const step_id = sink.stepOf(key);
  sink.step(key, { ...step, status: 'running', message: null });
  const ended = await start(needs, repo?.folder ?? workingFolder(prepared), { check, tail });
  const ended_at = clock();
  const seconds = ended.status === 'timed_out' ? timeout_s : Math.round((ended_at - started_at) / 1_000);
  const status = ended.status === 'passed' ? 'completed' : 'failed';
  sink.step(key, { ...step, status, message: wordsFor(ended, seconds) });
  return {
    execution_id: claimed.execution_id,
    seq,
    attempt_id: claimed.attempt.id,
    name,
    repo_id,
    command: JSON.stringify(command),
    ...ended,
    started_at,
    ended_at,
    output: tail.text(),
    step_id,
  };
}

async function start(
  { programs, sink, env, hold }: CheckNeeds,
  folder: string,
  { check, tail }: { readonly check: WantedCheck; readonly tail: ReturnType<typeof createTail> },
): Promise<Ended> {
  try {
    const program = await programs.start(check.command, folder, { ...env, ...CHECKED_BY_CI });
    program.stdin.end();
    const read = [program.stdout, program.stderr].map((output) =>
      readLines(output, MAX_LINE_CHARACTERS, (line) => {
        tail.add(line);
        sink.feed('output', line);
      }),
    );
    const ended = await untilEnded(program, check.timeout_s, hold.signal);
    await Promise.all(read);
    return ended;
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    // The command could not start, for example because it is not on the PATH: the check has failed, and people read why.
    if (!hold.signal.aborted) tail.add(error.message);
    return { status: hold.signal.aborted ? 'stopped' : 'failed', exit_code: null };
  }
}
