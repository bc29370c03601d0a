import { env } from 'node:process';
import type { TestProject } from 'vitest/node';
import { type RunningRedis, startRedis } from '../scripts/redis.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a running server; each suite uses a prefix of its own there. */
    redisUrl: string;
  }
}

// The runner loads this file once for each project: kept here, each of them would start a server.
const shared = globalThis as { errandRedis?: Promise<RunningRedis> | undefined };

/** One Redis for all projects of a run; a runner that has started one already names it. */
export async function setup(project: TestProject): Promise<void> {
  const given = env.ERRAND_TEST_REDIS_URL;
  if (given !== undefined && given !== '') {
    project.provide('redisUrl', given);
    return;
  }
  shared.errandRedis ??= startRedis();
  project.provide('redisUrl', (await shared.errandRedis).url);
}

export async function teardown(): Promise<void> {
  const running = shared.errandRedis;
  shared.errandRedis = undefined;
  await (await running)?.stop();
}
