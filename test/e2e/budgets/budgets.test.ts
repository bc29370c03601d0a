import { describe, expect, inject, it } from 'vitest';
import { freshPostgres } from '../database.ts';
import { spend } from './spend.ts';

describe('budgets of runs that report to two servers at once', () => {
  it('[L-BUDGET] are exceeded by no more than one report', async () => {
    const database_url = await freshPostgres(inject('postgresUrl'));

    const { faults, ended } = await spend({ database_url, runs: 20, seed: 7 });

    expect(faults).toEqual([]);
    expect(ended).toBeGreaterThan(10);
  });
});
