import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSpell } from './spell.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reports failures in a row once, and once that they are over', () => {
  const told: unknown[] = [];
  const spell = createSpell({
    onBegin: (error) => told.push(error),
    onEnd: () => told.push('over'),
    over_after_ms: 3000,
  });

  for (const error of ['first', 'second', 'third', 'fourth']) {
    spell.failed(error);
    vi.advanceTimersByTime(2000);
  }
  expect(told).toEqual(['first']);
  vi.advanceTimersByTime(1000);
  spell.failed('again');

  expect(told).toEqual(['first', 'over', 'again']);
});
