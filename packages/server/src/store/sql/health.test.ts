import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { databaseAway, databaseDamaged } from './database-error.ts';
import { createHealth } from './health.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that fails until it is mended; each probe is a commit. */
function aPatient() {
  const reported: (string | null)[] = [];
  let isWell = false;
  let probes = 0;
  const health = createHealth(
    (error) => reported.push(error === null ? null : error.code),
    async () => {
      probes += 1;
      if (isWell) health.worked();
      else health.failed(databaseAway(new Error('gone')));
    },
  );
  return {
    reported,
    health,
    probes: () => probes,
    mend: () => {
      isWell = true;
    },
  };
}

it('reports a failure once, and its end without any call', async () => {
  const { reported, health, mend } = aPatient();

  for (let i = 0; i < 5; i++) health.failed(databaseAway(new Error('gone')));
  await vi.advanceTimersByTimeAsync(5000);
  expect(reported).toEqual(['database_error']);
  mend();
  await vi.advanceTimersByTimeAsync(1000);

  expect(reported).toEqual(['database_error', null]);
});

it('reports when the failure becomes another', () => {
  const { reported, health } = aPatient();

  health.failed(databaseAway(new Error('gone')));
  health.failed(databaseDamaged(new Error('malformed')));

  expect(reported).toEqual(['database_error', 'database_damaged']);
  health.stop();
});

it('probes the database when a query failed, and reports nothing while it works', async () => {
  const { reported, health, mend, probes } = aPatient();
  mend();

  health.suspected();
  health.suspected();
  await vi.advanceTimersByTimeAsync(0);

  expect(probes()).toBe(1);
  expect(reported).toEqual([]);
});

it('ignores errors that are no failure of the database', () => {
  const { reported, health } = aPatient();

  health.failed(new Error('a fault of ours'));

  expect(reported).toEqual([]);
});
