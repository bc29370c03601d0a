import { afterAll, beforeAll } from 'vitest';
import { startPostgres } from '../../scripts/postgres.ts';

/** Starts a Postgres for the tests of one file. Returns a function that gives its URL once the tests run. */
export function ownPostgres(): () => string {
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres?.stop());

  return () => {
    if (postgres === undefined) throw new Error('Postgres is there within a test only.');
    return postgres.url;
  };
}
