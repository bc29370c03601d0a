import { expect, it } from 'vitest';
import { createQueueHistory } from './queue-history.ts';

const MINUTE_MS = 60_000;

it('tells the most runs that waited in each part of the time, and which part was not measured', () => {
  const time = { now: 600_000 * MINUTE_MS };
  const history = createQueueHistory(() => time.now);

  for (const queued of [1, 4, 2, 0]) {
    history.add({ queued, database_bytes: 100 });
    time.now += MINUTE_MS;
  }

  expect(history.queued(15, 5)).toEqual([null, null, null, 4, 2]);
  expect(history.queued(15, 3)).toEqual([null, null, 4]);
});

it('keeps the samples of a week', () => {
  const time = { now: 0 };
  const history = createQueueHistory(() => time.now);

  for (let minute = 0; minute <= 10_080; minute += 1) {
    time.now = minute * MINUTE_MS;
    history.add({ queued: 0, database_bytes: minute });
  }

  expect(history.firstSize()).toEqual({ at: MINUTE_MS, bytes: 1 });
});
