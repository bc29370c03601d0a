import type { Step } from 'errand/client';
import { expect, it } from 'vitest';
import { currentLook, newestOf, rowsOf } from './step-rows.ts';

const step = (seq: number, status: Step['status'], step_name = `Step ${seq}`): Step => ({
  id: `s${seq}`,
  step_id: `s${seq}`,
  execution_id: 'e1',
  seq,
  step_name,
  status,
  message: null,
  source: 'agent',
  started_at: '2026-11-16T14:00:00Z',
  updated_at: '2026-11-16T14:00:00Z',
  ended_at: null,
});

const pending = (content: string) => ({ content, status: 'pending' as const });

it('shows what the plan still holds behind the steps', () => {
  const rows = rowsOf([step(1, 'completed', 'Read'), step(2, 'running')], [pending('Read'), pending('Write')], {
    look: 'waiting',
  });

  expect(rows.map(({ seq, name, look }) => [seq, name, look])).toEqual([
    [1, 'Read', 'completed'],
    [2, 'Step 2', 'waiting'],
    [3, 'Write', 'planned'],
  ]);
});

it('plans nothing once the run has ended', () => {
  expect(rowsOf([step(1, 'completed')], [pending('Write')], null)).toHaveLength(1);
});

it('follows the last step that runs, or else the last', () => {
  expect(newestOf([step(1, 'running'), step(2, 'completed')])?.seq).toBe(1);
  expect(newestOf([step(1, 'failed'), step(2, 'completed')])?.seq).toBe(2);
  expect(newestOf([])).toBeNull();
});

it('draws silence and questions on the current step', () => {
  expect([currentLook('live', false), currentLook('stalled', false), currentLook('quiet', true)]).toEqual([
    'running',
    'quiet',
    'waiting',
  ]);
});
