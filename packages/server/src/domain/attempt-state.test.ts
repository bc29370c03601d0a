import { expect, it } from 'vitest';
import { attemptState } from './attempt-state.ts';

const ATTEMPT = { merged_at: null, archived_at: null, run_status: null };

it.each([
  [{ merged_at: 2, archived_at: 1, run_status: 'failed' }, 1, 'merged'],
  [{ archived_at: 1, run_status: 'running' }, 1, 'archived'],
  [{ run_status: 'running' }, 1, 'needs_you'],
  [{ run_status: 'completed' }, 1, 'needs_you'],
  [{ run_status: 'queued' }, 0, 'queued'],
  [{ run_status: 'running' }, 0, 'running'],
  [{ run_status: 'failed' }, 0, 'failed'],
  [{ run_status: 'interrupted' }, 0, 'failed'],
  [{ run_status: 'killed' }, 0, 'stopped'],
  [{ run_status: 'completed' }, 0, 'review'],
  [{}, 0, 'queued'],
] as const)('an attempt with %o and %i open questions is %s', (fields, questions, state) => {
  expect(attemptState({ ...ATTEMPT, ...fields }, questions)).toBe(state);
});
