import { expect, it } from 'vitest';
import { barsOf, ticksOf } from './range.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

it('counts runs in the bar of their beginning, failed ones apart and stopped ones not at all', () => {
  const bars = barsOf(
    [
      { status: 'completed', started_at: ago(1) },
      { status: 'running', started_at: ago(0) },
      { status: 'interrupted', started_at: ago(59) },
      { status: 'killed', started_at: ago(59) },
      { status: 'completed', started_at: ago(61) },
    ],
    '1h',
    NOW,
  );

  expect(bars).toHaveLength(30);
  expect(bars.at(-1)).toEqual({ ok: 1, now: 1, bad: 0 });
  expect(bars[0]).toEqual({ ok: 0, now: 0, bad: 1 });
});

it('counts a run of a clock that is ahead as now', () => {
  expect(barsOf([{ status: 'running', started_at: ago(-5) }], '24h', NOW).at(-1)?.now).toBe(1);
});

it('ends the times with now', () => {
  expect(ticksOf('30d', NOW).at(-1)).toBe('now');
  expect(ticksOf('24h', NOW)).toHaveLength(7);
});
