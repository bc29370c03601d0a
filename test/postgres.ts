import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { type RunningPostgres, startPostgres } from '../scripts/postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a running server; each suite makes a database of its own there. */
    postgresUrl: string;
  }
}

// The runner loads this file once for each project: kept here, each of them would start a server.
const shared = globalThis as { errandPostgres?: Promise<RunningPostgres> | undefined };

/** One PostgreSQL for all projects of a run; a runner that has started one already names it. */
export async function setup(project: TestProject): Promise<void> {
  const given = env.ERRAND_TEST_POSTGRES_URL;
  if (given !== undefined && given !== '') {
    project.provide('postgresUrl', given);
    return;
  }
  shared.errandPostgres ??= startPostgres();
  project.provide('postgresUrl', (await shared.errandPostgres).url);
}

export async function teardown(): Promise<void> {
  const running = shared.errandPostgres;
  shared.errandPostgres = undefined;
  await (await running)?.stop();
}
