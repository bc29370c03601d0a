import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, inject } from 'vitest';
import { memoryStore } from '#stores/memory';
import { openPostgresStore } from '#stores/postgres/postgres-store';
import { openRedisStore } from '#stores/redis/redis-store';
import { openSqliteStore } from '#stores/sqlite/sqlite-store';
import { describeIsolation } from './testing/describe-isolation.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errand-isolation-'));
});
afterAll(() => rm(folder, { recursive: true }));

const pass = async (ms: number): Promise<void> => sleep(ms + 25);

describeIsolation('memory', async () => {
  let now = 1_700_000_000_000;
  const store = memoryStore({ clock: () => now });
  return {
    store,
    pass: async (ms) => {
      now += ms;
    },
  };
});

describeIsolation('sqlite', async () => ({
  store: await openSqliteStore({ path: join(folder, `${randomUUID()}.db`) }),
  pass,
}));

describeIsolation('postgres', async () => ({
  store: await openPostgresStore({
    url: inject('postgresUrl'),
    schema: `isolation_${randomUUID().replaceAll('-', '')}`,
  }),
  pass,
}));

describeIsolation('redis', async () => ({
  store: await openRedisStore({ url: inject('redisUrl'), prefix: `isolation-${randomUUID()}` }),
  pass,
}));
