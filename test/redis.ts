import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { startRedis } from '../scripts/redis.ts';
import { oneForAll } from './one-for-all.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a running server. Each suite uses its own prefix there. */
    redisUrl: string;
  }
}

const { running, teardown } = oneForAll('redis', startRedis);

export { teardown };

/** Starts the server, unless the runner names one that is already running. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('redisUrl', env.ERRAND_TEST_REDIS_URL || (await running()).url);
}
