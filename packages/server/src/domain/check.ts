import type { AttemptId, RepoId, RunId, StepId } from './ids.ts';

/** What the checks of an attempt's latest run say about its work. */
export type Verdict = 'green' | 'red';

/** Checks of a project, and of each repository. */
export const MAX_CHECKS = 20;
/** Characters that are kept of the output of a check: its end. */
export const MAX_CHECK_OUTPUT = 8_000;
/** How many times red checks may send an attempt back to its agent. */
export const MAX_RED_RETRIES = 10;

/** The executor of runs that only run checks. Every worker takes them. */
export const CHECKS_EXECUTOR = 'checks';

export type CheckStatus = 'running' | 'passed' | 'failed' | 'timed_out' | 'stopped';

/** A command of the operator's configuration that judges the work of a run. */
export interface Check {
  readonly execution_id: RunId;
  /** The order of the checks of one run, from 1. */
  readonly seq: number;
  readonly attempt_id: AttemptId;
  readonly name: string;
  /** The repository whose folder it ran in; null for the folder of the attempt. */
  readonly repo_id: RepoId | null;
  /** JSON of the command and its arguments. */
  readonly command: string;
  readonly status: CheckStatus;
  readonly exit_code: number | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  /** The last characters of what it wrote. */
  readonly output: string;
  readonly step_id: StepId;
}

/** The checks of a run, and what they say together. */
export interface CheckedRun {
  readonly checks: readonly Check[];
  /** Null when none ran to its end. */
  readonly verdict: Verdict | null;
}

/** All passed: green. Stopped by the end of the run: none. Anything else: red. */
export function verdictOf(checks: readonly Pick<Check, 'status'>[]): Verdict | null {
  if (checks.length === 0 || checks.some(({ status }) => status === 'stopped' || status === 'running')) return null;
  return checks.every(({ status }) => status === 'passed') ? 'green' : 'red';
}
