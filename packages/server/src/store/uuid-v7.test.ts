import { expect, it } from 'vitest';
import { createUuidV7 } from './uuid-v7.ts';

it('makes UUIDs of version 7 that carry the time', () => {
  const now = Date.parse('2026-11-01T12:00:00Z');
  const uuid = createUuidV7(() => now);

  const id = uuid();

  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(now);
});

it('makes them in order, also within a millisecond and when the clock steps back', () => {
  const times = [1000, 1000, 999, 2000, 500];
  let turn = 0;
  const uuid = createUuidV7(() => times[turn++ % times.length] ?? 0);

  const ids = Array.from({ length: 20_000 }, uuid);

  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted());
});

it('makes different ones in two processes at the same moment', () => {
  const [one, two] = [createUuidV7(() => 1000), createUuidV7(() => 1000)];

  const ids = Array.from({ length: 1000 }, () => [one(), two()]).flat();

  expect(new Set(ids).size).toBe(ids.length);
});
