import type { z } from 'zod';
import { type FeedEntry, isOver, type Run, type RunKeys, type Step, StepStatus } from '#domain/run';
import { storedUsage } from '#domain/usage';
import { ErrandError } from '#errors';
import { rfc3339, rfc3339OrNull } from '#tools/time';
import type { executionBody, feedBody, stepBody } from './fields.ts';

/** A run as events show it: with ids alone. */
export const runOf = (execution: Run): Omit<z.output<typeof executionBody>, keyof RunKeys> => ({
  id: execution.id,
  execution_id: execution.id,
  name: execution.name,
  kind: execution.kind,
  status: execution.status,
  reason: execution.reason,
  liveness: isOver(execution.status) ? null : execution.liveness,
  project_id: execution.project_id,
  work_item_id: execution.work_item_id,
  user_id: execution.user_id,
  agent_id: execution.agent_id,
  session_id: execution.agent_session_id,
  worktree_path: execution.worktree_path,
  branch: execution.branch,
  client: execution.client,
  usage: storedUsage(execution.usage),
  summary: execution.summary,
  step_count: execution.step_count,
  started_at: rfc3339(execution.started_at),
  seen_at: rfc3339(execution.seen_at),
  ended_at: rfc3339OrNull(execution.ended_at),
});

export const executionOf = (execution: Run & RunKeys): z.output<typeof executionBody> => ({
  ...runOf(execution),
  task_key: execution.task_key,
  attempt_key: execution.attempt_key,
});

export const stepOf = (step: Step): z.output<typeof stepBody> => ({
  id: step.id,
  step_id: step.id,
  execution_id: step.execution_id,
  seq: step.seq,
  step_name: step.name,
  status: step.status,
  message: step.message,
  source: step.source,
  started_at: rfc3339(step.started_at),
  updated_at: rfc3339(step.updated_at),
  ended_at: rfc3339OrNull(step.ended_at),
});

export const entryOf = ({ execution_id, seq, kind, text, at }: FeedEntry): z.output<typeof feedBody> => ({
  seq,
  execution_id,
  kind,
  text,
  at: rfc3339(at),
});

const VALID_STATUSES = StepStatus.options;
const MAX_SHOWN = 60;

const given = (value: unknown): boolean => value !== undefined && value !== null;

/** Refuses a status with the contract's exact message: agents written for the contract look for it. */
export function checkStatus({ status }: Readonly<Record<string, unknown>>): void {
  if (!given(status) || StepStatus.safeParse(status).success) return;
  const shown = typeof status === 'string' ? status : (JSON.stringify(status) ?? '');
  const cut = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
  throw new ErrandError('validation_error', `Invalid status '${cut}'. Must be one of: ${VALID_STATUSES.join(', ')}`, {
    details: { valid_statuses: VALID_STATUSES },
  });
}

/** Refuses an update without any change: it is a mistake of the caller. */
export function checkChange(input: Readonly<Record<string, unknown>>): void {
  checkStatus(input);
  if (given(input.status) || given(input.message)) return;
  throw new ErrandError('validation_error', 'Provide at least status or message to update');
}
