import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../scripts/postgres.ts';
import { oneForAll } from './one-for-all.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a running server. Each suite makes its own database there. */
    postgresUrl: string;
  }
}

const { running, teardown } = oneForAll('postgres', startPostgres);

export { teardown };

/** Starts the server, unless the runner names one that is already running. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('postgresUrl', env.ERRAND_TEST_POSTGRES_URL || (await running()).url);
}
