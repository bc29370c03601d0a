import type { z } from 'zod';
import { textOf, type Words } from '#advice';
import type { StepStatus } from '#domain/run';
import type { executionBody, healthBody, stepBody } from './executions/fields.ts';

/** The fields of an execution that a report can set. */
export interface ExecutionPatch {
  readonly session_id?: string | undefined;
  readonly worktree_path?: string | undefined;
}

export interface StepCreate {
  readonly step_name: string;
  readonly message?: string | undefined;
  readonly status?: StepStatus | undefined;
}

export interface StepPatch {
  readonly status?: StepStatus | undefined;
  readonly message?: string | undefined;
}

/** Another Task Manager may leave fields out. Those that are present have our names. */
export type ReportedExecution = Partial<z.output<typeof executionBody>>;
export type ReportedStep = Partial<z.output<typeof stepBody>> & { readonly step_id: string };
type ReportedHealth = z.output<typeof healthBody>;

/** The destination of reports: the store, a server elsewhere, or memory for tests. */
export interface TaskManager {
  readonly patchExecution: (execution_id: string, patch: ExecutionPatch) => Promise<ReportedExecution>;
  readonly createStep: (execution_id: string, step: StepCreate) => Promise<ReportedStep>;
  readonly patchStep: (execution_id: string, step_id: string, patch: StepPatch) => Promise<ReportedStep>;
  readonly checkHealth: () => Promise<ReportedHealth>;
}

/** The error of a Task Manager elsewhere, or the reason why it did not answer. */
export class TaskManagerError extends Error {
  override readonly name = 'TaskManagerError';
  readonly words: Words;
  readonly error_code: string | undefined;
  readonly status_code: number | undefined;

  constructor(message: Words, { error_code, status_code }: { error_code?: string; status_code?: number } = {}) {
    super(textOf(message));
    this.words = message;
    this.error_code = error_code;
    this.status_code = status_code;
  }
}
