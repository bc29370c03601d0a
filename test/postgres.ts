import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../scripts/postgres.ts';
import { oneForAll } from './one-for-all.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a running server; each suite makes a database of its own there. */
    postgresUrl: string;
  }
}

const { running, teardown } = oneForAll('postgres', startPostgres);

export { teardown };

/** A runner that has started one already names it. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('postgresUrl', env.ERRAND_TEST_POSTGRES_URL || (await running()).url);
}
