import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { startRedis } from '../scripts/redis.ts';
import { oneForAll } from './one-for-all.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a running server; each suite uses a prefix of its own there. */
    redisUrl: string;
  }
}

const { running, teardown } = oneForAll('redis', startRedis);

export { teardown };

/** A runner that has started one already names it. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('redisUrl', env.ERRAND_TEST_REDIS_URL || (await running()).url);
}
