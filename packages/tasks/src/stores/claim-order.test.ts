import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import type { TaskStore } from '#store';
import { aTask, requestFor } from '#testing/a-task';
import { memoryStore } from './memory.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';

const url = inject('postgresUrl');
const schema = `claim_order_${randomUUID()}`;

afterAll(async () => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`drop schema "${schema}" cascade`);
  await client.end();
});

const STORES: readonly (readonly [string, () => Promise<TaskStore>])[] = [
  ['memory', async () => memoryStore()],
  ['sqlite', () => openSqliteStore({ path: ':memory:' })],
  ['postgres', () => openPostgresStore({ url, schema })],
];

it.each(STORES)(
  '[S7, S8] %s gives the oldest first, of whatever tool, free or with a lease that ran out',
  async (_, open) => {
    await using store = await open();
    const now = store.now();
    const lapsed = { worker_id: 'gone', until: now - 1 };
    const waiting = [3, 1, 5, 2, 4].map((age) =>
      aTask({
        task_id: `age-${age}-${randomUUID()}`,
        created_at: now - age * 1_000,
        request: requestFor(age % 2 === 0 ? 'even' : 'odd'),
        lease: age > 3 ? lapsed : null,
      }),
    );
    for (const task of waiting) await store.insert(task, 10);

    const claim = { worker_id: 'worker', tools: ['odd', 'even', 'odd'], lease_ms: 60_000 };
    const first = await store.claim({ ...claim, limit: 3 });
    const rest = await store.claim({ ...claim, limit: 3 });

    const agesOf = (tasks: typeof first) => tasks.map(({ task_id }) => task_id.slice(4, 5));
    expect(agesOf(first)).toEqual(['5', '4', '3']);
    expect(agesOf(rest)).toEqual(['2', '1']);
  },
);
