import { expect, it } from 'vitest';
import { fieldOf, lineOf, logPercent, placesOf, rateOf, spansSince, stretchesOf, tookOf, topOf } from './figures.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');
const NONE = { calls: 0, mcp: 0, failed: 0, faults: 0, p50_ms: 0, p99_ms: 0, queued: null };

it('counts calls by the minute while they are few, and by the second while they are many', () => {
  const spans = [
    { ...NONE, at: '2026-01-02T11:30:00Z', calls: 30, mcp: 15 },
    { ...NONE, at: '2026-01-02T11:45:00Z', calls: 20, mcp: 20 },
  ];
  const few = rateOf(spans, Date.parse('2026-01-02T11:55:00Z'));
  const many = rateOf(
    spans.map((span) => ({ ...span, calls: span.calls * 1_800 })),
    NOW,
  );

  expect([few.name, few.rates(({ calls }) => calls), few.rates(({ mcp }) => mcp)]).toEqual(['minute', [2, 2], [1, 2]]);
  expect([many.name, many.rates(({ calls }) => calls)]).toEqual(['second', [60, 40]]);
});

it('leaves out the time before the server began', () => {
  const spans = ['11:00', '11:20', '11:40'].map((clock) => ({ ...NONE, at: `2026-01-02T${clock}:00Z` }));

  expect(spansSince({ spans, since: '2026-01-02T11:25:00Z' })).toEqual(spans.slice(1));
  expect(spansSince({ spans, since: '2026-01-01T00:00:00Z' })).toEqual(spans);
});

it('draws what was measured where its time is, with gaps for the rest', () => {
  const places = placesOf([NOW - 120_000, NOW - 60_000, NOW], NOW - 240_000, NOW);
  const stretches = stretchesOf([1, null, 0], places, 1);

  expect(places).toEqual([50, 75, 100]);
  expect(stretches).toEqual([[[50, 0]], [[100, 100]]]);
  expect(stretchesOf([0, 3], [0, 100], 3).map((points) => lineOf(points))).toEqual(['M0.00 100.0L100.00 0.0']);
});

it('draws whole things in steps, and the field below a line down to the axis', () => {
  const points = [
    [0, 100],
    [50, 40],
  ] as const;

  expect(lineOf(points, true)).toBe('M0.00 100.0H50.00V40.0');
  expect(fieldOf(points)).toBe('M0.00 100.0L50.00 40.0L50.00 100L0.00 100Z');
});

it('ends an axis at a round number, and a scale of durations at a second', () => {
  expect([topOf([]), topOf([4]), topOf([61]), topOf([91]), topOf([10])]).toEqual([3, 6, 90, 120, 12]);
  expect([logPercent(0), logPercent(1), logPercent(1_000), logPercent(90_000)]).toEqual([0, 0, 100, 100]);
});

it('writes durations so shortly that they fit beside an axis', () => {
  expect([0.4, 12, 999, 1_500, 30_000].map(tookOf)).toEqual(['0.4 ms', '12 ms', '999 ms', '1.5 s', '30 s']);
});
