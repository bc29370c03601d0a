import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFailureSeries } from './failure-series.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reports failures in a row once, and once that they are over', () => {
  const calls: unknown[] = [];
  const series = createFailureSeries({
    onBegin: (error) => calls.push(error),
    onEnd: () => calls.push('over'),
    over_after_ms: 3000,
  });

  for (const error of ['first', 'second', 'third', 'fourth']) {
    series.failed(error);
    vi.advanceTimersByTime(2000);
  }
  expect(calls).toEqual(['first']);
  vi.advanceTimersByTime(1000);
  series.failed('again');

  expect(calls).toEqual(['first', 'over', 'again']);
});
