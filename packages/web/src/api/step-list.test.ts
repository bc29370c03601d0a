import type { Step } from 'errand/client';
import { expect, it } from 'vitest';
import { withStep } from './step-list.ts';

const step = (seq: number, fields: Partial<Step> = {}): Step => ({
  id: `s${seq}`,
  step_id: `s${seq}`,
  execution_id: 'e1',
  seq,
  step_name: `Step ${seq}`,
  status: 'running',
  message: null,
  source: 'agent',
  started_at: '2026-11-16T14:00:00Z',
  updated_at: '2026-11-16T14:00:00Z',
  ended_at: null,
  ...fields,
});

it('puts a new step behind the earlier ones', () => {
  expect(withStep([step(1), step(3)], step(2)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(withStep([], step(1)).map(({ seq }) => seq)).toEqual([1]);
});

it('takes the new state of a step that is there', () => {
  const done = step(1, { status: 'completed', updated_at: '2026-11-16T14:01:00Z' });

  expect(withStep([step(1), step(2)], done)).toEqual([done, step(2)]);
});

it('keeps the newer state when an older one comes late', () => {
  const done = step(1, { status: 'completed', updated_at: '2026-11-16T14:01:00Z' });

  expect(withStep([done], step(1))).toEqual([done]);
});
