import { expect, it } from 'vitest';
import type { Operations } from '../api/operations.ts';
import {
  evenly,
  lineOf,
  logPercent,
  perMinute,
  placesOf,
  sampleOf,
  tookOf,
  topOf,
  vitalsOf,
  withSample,
} from './figures.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');

const FIGURES: Operations = {
  version: '1.0.0',
  since: '2026-01-01T12:00:00Z',
  memory_bytes: 120_000_000,
  database: { kind: 'sqlite', bytes: 4_100_000, migrations: 12, latest_migration: '0012-x' },
  queue: { queued: 0, running: 2, oldest_queued_at: null, workers: 1 },
  event_head: 14,
  tools: [{ tool: 'get_task', calls: 200, failed: 10, p50_ms: 5, p99_ms: 40 }],
  errors: [{ code: 'conflict', count: 10 }],
  clients: [],
};

const toldBy = (figures: Partial<Operations>) =>
  vitalsOf({ ...FIGURES, ...figures }, NOW).flatMap(({ name, todo }) => (todo === null ? [] : [`${name}: ${todo}`]));

it('is well while callers are only refused and runs find a place', () => {
  expect(toldBy({})).toEqual([]);
  expect(toldBy({ queue: { queued: 1, running: 2, workers: 1, oldest_queued_at: '2026-01-02T11:59:00Z' } })).toEqual(
    [],
  );
});

it('says what to do when the server fails, runs wait for long, or no worker is alive', () => {
  expect(toldBy({ errors: [{ code: 'internal', count: 1 }] })).toEqual([expect.stringContaining('read its log')]);
  expect(toldBy({ queue: { queued: 8, running: 2, workers: 1, oldest_queued_at: '2026-01-02T11:50:00Z' } })).toEqual([
    expect.stringContaining('All run places are taken'),
  ]);
  expect(toldBy({ queue: { queued: 1, running: 0, workers: 0, oldest_queued_at: '2026-01-02T11:59:59Z' } })).toEqual([
    expect.stringContaining('No worker is alive'),
  ]);
});

it('counts the calls of each minute, and forgets samples of a server before', () => {
  const span = { failed: 0, p99_ms: 0 };
  const spans = [
    { ...span, at: '2026-01-02T11:30:00Z', calls: 30 },
    { ...span, at: '2026-01-02T11:45:00Z', calls: 20 },
  ];
  const samples = [0, 10_000].reduce(
    (all, at) => withSample(all, sampleOf(FIGURES, at)),
    [] as ReturnType<typeof withSample>,
  );

  expect(perMinute(spans, 'calls', Date.parse('2026-01-02T11:55:00Z'))).toEqual([2, 2]);
  expect(samples).toHaveLength(2);
  expect(withSample(samples, sampleOf({ ...FIGURES, since: '2026-01-02T11:00:00Z' }, 20_000))).toHaveLength(1);
});

it('draws lines and places within their field', () => {
  expect([topOf([]), topOf([4]), topOf([61]), topOf([91])]).toEqual([3, 6, 90, 120]);
  expect(lineOf([0, 3], evenly(2), 3)).toBe('M0.00 100.0L100.00 0.0');
  expect([logPercent(0), logPercent(1), logPercent(1_000), logPercent(90_000)]).toEqual([0, 0, 100, 100]);
});

it('draws what was measured lately at the right, where its time is', () => {
  expect(lineOf([1, 1], placesOf([NOW - 60_000, NOW], NOW - 240_000, NOW), 1)).toBe('M75.00 0.0L100.00 0.0');
});

it('writes durations so shortly that they fit beside an axis', () => {
  expect([0.4, 12, 999, 1_500, 30_000].map(tookOf)).toEqual(['0.4 ms', '12 ms', '999 ms', '1.5 s', '30 s']);
});
