import { expect, it } from 'vitest';
import { latestOf, worked } from './runs.ts';

it('leaves out a run that an agent left open on a task that is over, but no attempt that still runs', () => {
  const open = { is_task_over: false, attempt_id: null };
  const left = { is_task_over: true, attempt_id: null };
  const attempt = { is_task_over: true, attempt_id: 'a1' };

  expect(worked([left, open, attempt])).toEqual([open, attempt]);
});

it('knows the latest of several moments, as far as there are any', () => {
  const [early, late] = ['2026-01-02T03:04:05.000Z', '2026-01-02T03:05:05.000Z'];

  expect(latestOf(early, null, late, undefined)).toBe(late);
  expect(latestOf(late, early)).toBe(late);
  expect(latestOf(null, undefined)).toBeUndefined();
});
