import type { AttemptId, RepoId, RunId, StepId } from './ids.ts';

/** What the checks of an attempt's latest run say about its work. */
export type Verdict = 'green' | 'red';

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
