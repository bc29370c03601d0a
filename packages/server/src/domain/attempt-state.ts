import type { Attempt } from './attempt.ts';

/** The state of an attempt as people see it. It is computed, never stored. */
export const ATTEMPT_STATES = [
  'queued',
  'running',
  'needs_you',
  'review',
  'failed',
  'stopped',
  'merged',
  'archived',
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

const OF_RUN = {
  queued: 'queued',
  running: 'running',
  completed: 'review',
  failed: 'failed',
  interrupted: 'failed',
  killed: 'stopped',
} as const;

/** `open_questions`: those without an answer, of a running run or of the tool `ask_person`. */
export function attemptState(
  { merged_at, archived_at, run_status }: Pick<Attempt, 'merged_at' | 'archived_at' | 'run_status'>,
  open_questions: number,
): AttemptState {
  if (merged_at !== null) return 'merged';
  if (archived_at !== null) return 'archived';
  if (open_questions > 0) return 'needs_you';
  return OF_RUN[run_status ?? 'queued'];
}
