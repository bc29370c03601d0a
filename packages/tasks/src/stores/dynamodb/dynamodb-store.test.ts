import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import type { TaskStore } from '#store';
import { aTask, finished, taskIn } from '#testing/a-task';
import { passTime } from '#testing/check';
import { describeTaskStore } from '#testing/contract';
import { openDynamoDbStore } from './dynamodb-store.ts';
import { keyOf } from './item.ts';
import { tableDefinition } from './table.ts';

const client = new DynamoDBClient({
  endpoint: inject('dynamodbEndpoint'),
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});

const DAY_MS = 86_400_000;

let table = '';
const second = (): Promise<TaskStore> => openDynamoDbStore({ table, client });
const open = async (): Promise<TaskStore> => {
  table = `tasks-${randomUUID()}`;
  const { create, time_to_live } = tableDefinition(table);
  await client.send(new CreateTableCommand(create));
  await client.send(new UpdateTimeToLiveCommand(time_to_live));
  return second();
};
const itemOf = async (owner_id: string, task_id: string) =>
  (await client.send(new GetItemCommand({ TableName: table, Key: keyOf(owner_id, task_id) }))).Item;

describeTaskStore('dynamodb', open, { second });

describe('tasks in DynamoDB', () => {
  it('[STOR-10] are not found after their expiry, while the service still has them', async () => {
    await using store = await open();
    const task = taskIn(store, { ttl_ms: 60 });
    await store.insert(task, 10);

    await passTime({ open }, store, 60);

    expect(await store.get(task.owner_id, task.task_id)).toBeNull();
    expect(await store.list(task.owner_id, null, 10)).toStrictEqual([]);
    expect(await itemOf(task.owner_id, task.task_id)).toBeDefined();
  });

  it('[STOR-10] have their expiry in the TTL attribute of the service, never too early', async () => {
    await using store = await open();
    const task = taskIn(store, { ttl_ms: 90_500 });
    const endless = taskIn(store, { ttl_ms: null });
    for (const each of [task, endless]) await store.insert(each, 10);

    const { TimeToLiveDescription: expiry } = await client.send(new DescribeTimeToLiveCommand({ TableName: table }));

    const seconds = Number((await itemOf(task.owner_id, task.task_id))?.expires?.N);
    expect(expiry).toStrictEqual({ AttributeName: 'expires', TimeToLiveStatus: 'ENABLED' });
    expect(seconds).toBe(Math.ceil((task.created_at + 90_500) / 1000));
    expect((await itemOf(endless.owner_id, endless.task_id))?.expires).toBeUndefined();
  });

  it('[S5, STOR-10] are counted by an item that expires after all of them', async () => {
    await using store = await open();
    const long = taskIn(store, { ttl_ms: 10 * DAY_MS });
    const brief = taskIn(store, { ttl_ms: 60 });

    const answers = [await store.insert(long, 2), await store.insert(brief, 2)];

    const seconds = Number((await itemOf(long.owner_id, '#unfinished'))?.expires?.N);
    expect(answers).toStrictEqual(['inserted', 'inserted']);
    expect(seconds * 1000).toBeGreaterThan(long.created_at + 10 * DAY_MS);
    expect(seconds).toBeLessThan(9_999_999_999);
  });

  it('[S5] never exceed the quota when many clients insert and finish at once', async () => {
    await using first = await open();
    await using other = await second();
    const churn = async (store: TaskStore): Promise<number> => {
      let most = 0;
      for (let i = 0; i < 6; i += 1) {
        const task = taskIn(store);
        if ((await store.insert(task, 3)) !== 'inserted') continue;
        const live = (await store.list(task.owner_id, null, 100)).filter(({ outcome }) => outcome === null);
        most = Math.max(most, live.length);
        await store.replace(finished(task));
      }
      return most;
    };

    const most = await Promise.all([first, other, first, other, first, other].map(churn));

    expect(Math.max(...most)).toBeLessThanOrEqual(3);
    expect(Math.max(...most)).toBeGreaterThan(0);
    expect(await first.insert(taskIn(first), 1)).toBe('inserted');
  });

  it('[S8] can be claimed when there are many expired tasks before them', async () => {
    await using store = await open();
    const brief = Array.from({ length: 60 }, () => taskIn(store, { ttl_ms: 60, created_at: store.now() - 20 }));
    await Promise.all(brief.map((task) => store.insert(task, 100)));
    const task = taskIn(store);
    await store.insert(task, 100);
    await passTime({ open }, store, 60);
    await using fresh = await second();

    const claimed = await fresh.claim({ worker_id: 'w', tools: ['count'], lease_ms: 1_000, limit: 1 });

    expect(claimed.map(({ task_id }) => task_id)).toStrictEqual([task.task_id]);
  });

  it('[STOR-08] may be as large as `max_record_bytes`', async () => {
    await using store = await open();
    const empty = taskIn(store, { context: { text: '' }, request: { ...aTask().request, tool: 'a'.repeat(200) } });
    const room = store.max_record_bytes - Buffer.byteLength(JSON.stringify(empty));
    const task = { ...empty, context: { text: 'é'.repeat(Math.floor(room / 2)) } };

    const inserted = await store.insert(task, 10);

    expect(inserted).toBe('inserted');
    expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(task);
  });

  it('[STOR-08] load the driver when the store is opened, and not before', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import { openDynamoDbStore } from '@errand/tasks/dynamodb';
      const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('aws-sdk'));
      const before = isLoaded();
      await openDynamoDbStore({ table: 'any', endpoint: 'http://127.0.0.1:9', region: 'local' }).catch(() => {});
      console.log(JSON.stringify([before, isLoaded()]));`;
    const args = ['--conditions=errand-source', '--input-type=module', '-e', program];
    const env = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };

    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, env });

    expect(JSON.parse(stdout)).toStrictEqual([false, true]);
  });

  it('[STOR-08] are refused with a clear message when the table is missing', async () => {
    const opening = openDynamoDbStore({ table: 'nowhere', client });

    await expect(opening).rejects.toThrow('no table nowhere');
  });
});
