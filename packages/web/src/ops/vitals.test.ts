import { expect, it } from 'vitest';
import type { Operations } from '../api/operations.ts';
import { vitalsOf } from './vitals.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');
const SPAN = {
  at: '2026-01-02T11:00:00Z',
  calls: 200,
  mcp: 100,
  failed: 10,
  faults: 0,
  p50_ms: 5,
  p99_ms: 40,
  queued: 0,
};
const DATABASE = {
  kind: 'sqlite' as const,
  version: '3.50.4',
  bytes: 4_100_000,
  read_ms: 0.9,
  grows_bytes: 11_000_000,
  migrations: 12,
  latest_migration: '0012-x',
};
const QUEUE = { queued: 0, running: 2, oldest_queued_at: null, workers: 1, places: 2 };
const EVENTS = { listeners: 14, backlog: 0, lag_ms: 38 };

const FIGURES: Operations = {
  version: '1.0.0',
  since: '2026-01-01T12:00:00Z',
  memory_bytes: 120_000_000,
  database: DATABASE,
  disk: { free_bytes: 60_000_000_000, total_bytes: 64_000_000_000 },
  events: EVENTS,
  queue: QUEUE,
  event_head: 14,
  tool_count: 48,
  tools: [],
  errors: [{ code: 'conflict', count: 10, is_fault: false }],
  spans: [SPAN],
  clients: [],
};

const toldBy = (figures: Partial<Operations>) =>
  vitalsOf({ ...FIGURES, ...figures }, NOW).flatMap(({ name, todo }) => (todo === null ? [] : [`${name}: ${todo}`]));

it('is well while callers are only refused and runs find a place', () => {
  const queue = { ...QUEUE, queued: 1, oldest_queued_at: '2026-01-02T11:59:00Z' };

  expect(toldBy({})).toEqual([]);
  expect(toldBy({ queue })).toEqual([]);
  expect(vitalsOf(FIGURES, NOW).map(({ value, about }) => `${value}: ${about}`)).toEqual([
    '0.9 ms: SQLite 3.50, 12 migrations',
    '38 ms: 14 listeners',
    '0 %: 0 of 200 calls',
    '4.1 MB: 60 GB free, 11 MB a day',
    '2 running: of 2 places, 1 worker',
  ]);
});

it('says what to do while runs wait: for places, for a worker, or for what no worker has', () => {
  const long = '2026-01-02T11:50:00Z';
  const waiting = (part: Partial<Operations['queue']>) =>
    toldBy({ queue: { ...QUEUE, queued: 1, oldest_queued_at: long, ...part } });

  expect(waiting({})).toEqual([expect.stringContaining('All 2 run places are taken')]);
  expect(waiting({ queued: 2, oldest_queued_at: '2026-01-02T11:59:59Z' })).toEqual([
    expect.stringContaining('All 2 run places are taken'),
  ]);
  expect(waiting({ places: 1, running: 1 })).toEqual([expect.stringContaining('The one run place is taken')]);
  expect(waiting({ running: 1 })).toEqual([expect.stringContaining('no worker has the agent')]);
  expect(waiting({ running: 0, workers: 0, places: 0 })).toEqual([expect.stringContaining('No worker is alive')]);
});

it('says what to do when the server fails, when the database is slow or full, and when changes come late', () => {
  expect(toldBy({ spans: [{ ...SPAN, faults: 1 }], errors: [{ code: 'internal', count: 1, is_fault: true }] })).toEqual(
    ['Errors: The server failed with internal: read its log.'],
  );
  expect(toldBy({ database: { ...DATABASE, read_ms: 900 } })).toEqual([expect.stringContaining('the disk')]);
  expect(toldBy({ database: { ...DATABASE, kind: 'postgres', read_ms: 900 } })).toEqual([
    expect.stringContaining('load of Postgres'),
  ]);
  expect(toldBy({ disk: { free_bytes: 25_000_000, total_bytes: 64_000_000_000 } })).toEqual([
    'Disk: The disk is full in 2 days. Free some space on it.',
  ]);
  expect(toldBy({ events: { ...EVENTS, lag_ms: 5_000 } })).toEqual([expect.stringContaining('late')]);
  expect(toldBy({ events: { ...EVENTS, backlog: 5_000 } })).toEqual([expect.stringContaining('late')]);
});

it('tells the failures of the chosen time, and those of a disk that it cannot see not at all', () => {
  const earlier = {
    errors: [{ code: 'internal', count: 3, is_fault: true }],
    disk: null,
    database: { ...DATABASE, grows_bytes: null },
  };
  const [, , errors, disk] = vitalsOf({ ...FIGURES, ...earlier }, NOW);

  expect(errors).toMatchObject({ value: '0 %', todo: null });
  expect(disk).toMatchObject({ about: 'of the database', todo: null });
});
