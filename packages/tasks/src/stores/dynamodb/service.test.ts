import { randomUUID } from 'node:crypto';
import { createServer, request, type ServerResponse } from 'node:http';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { isObject } from '#json';
import type { TaskStore } from '#store';
import { finished, nextOf, taskIn } from '#testing/a-task';
import { openDynamoDbStore } from './dynamodb-store.ts';
import { tableDefinition } from './table.ts';

/** The fate of a request: it passes, is refused before it has an effect, or has its effect while the answer is lost. */
type Fault = 'pass' | 'internal' | 'throttled' | 'conflict' | 'answer_lost' | 'unreachable';

interface Seen {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const REFUSALS: Readonly<Partial<Record<Fault, readonly [number, object]>>> = {
  internal: [500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' }],
  throttled: [400, { __type: 'com.amazon.coral.availability#ThrottlingException' }],
  conflict: [
    400,
    {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    },
  ],
};
const AWAY = { name: 'TaskError', code: 'store_unavailable' };
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Opens a store on a connection with planned faults, which records every request. */
async function openBehindFaults() {
  const endpoint = new URL(inject('dynamodbEndpoint'));
  const seen: Seen[] = [];
  const faults: Fault[] = [];
  const server = createServer(async (incoming, outgoing: ServerResponse) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    const input: unknown = JSON.parse(body);
    const operation = String(incoming.headers['x-amz-target']).replace(/.*\./, '');
    seen.push({ operation, input: isObject(input) ? input : {} });
    const fault = faults.shift() ?? 'pass';
    const refusal = REFUSALS[fault];
    if (fault === 'unreachable') return void outgoing.destroy();
    if (refusal !== undefined) return void outgoing.writeHead(refusal[0]).end(JSON.stringify(refusal[1]));
    const options = { host: endpoint.hostname, port: endpoint.port, method: 'POST', headers: incoming.headers };
    const onwards = request(options, (answer) => {
      if (fault === 'answer_lost') return void outgoing.destroy();
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = isObject(address) ? address.port : 0;

  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'local',
    credentials,
    maxAttempts: 1,
  });
  const table = `tasks-${randomUUID()}`;
  await client.send(new CreateTableCommand(tableDefinition(table).create));
  const store = await openDynamoDbStore({ table, client });
  onTestFinished(async () => {
    await store.close();
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  /** Runs the work with these faults, one per request; further requests pass. Returns the recorded requests. */
  const during = async <T>(planted: readonly Fault[], work: (store: TaskStore) => Promise<T>) => {
    seen.length = 0;
    faults.push(...planted);
    const [answer] = await Promise.allSettled([work(store)]);
    return { answer, requests: [...seen] };
  };
  return { store, during };
}

describe('writes to DynamoDB', () => {
  it('[STOR-09, STOR-12, TEST-05] change a task by one conditional request; a refusal returns the item', async () => {
    const { store, during } = await openBehindFaults();
    const task = taskIn(store);
    await store.insert(task, 10);

    const won = await during([], () => store.replace(finished(task)));
    const lost = await during([], () => store.replace(nextOf(task, { status_message: 'late' })));

    expect(won.answer).toMatchObject({ value: { ok: true } });
    expect(lost.answer).toMatchObject({ value: { ok: false, current: finished(task) } });
    for (const { requests } of [won, lost]) {
      expect(requests).toHaveLength(1);
      expect(requests[0]).toMatchObject({
        operation: 'PutItem',
        input: {
          ConditionExpression: expect.stringContaining('#version = :before'),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      });
    }
  });

  it.each([['internal'], ['unreachable']] as const)(
    '[STOR-12, S14] are not sent again after a failure (%s)',
    async (fault) => {
      const { store, during } = await openBehindFaults();
      const task = taskIn(store);
      await store.insert(task, 10);

      const failed = await during([fault], () => store.replace(finished(task)));
      const again = await during([], () => store.replace(finished(task)));

      expect(failed.answer).toMatchObject({ status: 'rejected', reason: AWAY });
      expect(failed.requests).toHaveLength(1);
      expect(again.answer).toMatchObject({ value: { ok: true } });
    },
  );

  it('[STOR-12, S3] that succeeded but whose answer was lost are not reported as a conflict', async () => {
    const { store, during } = await openBehindFaults();
    const task = taskIn(store);
    await store.insert(task, 10);

    const { answer, requests } = await during(['answer_lost'], () => store.replace(finished(task)));

    expect(answer).toMatchObject({ status: 'rejected', reason: AWAY });
    expect(requests).toHaveLength(1);
    expect(await store.get(task.owner_id, task.task_id)).toStrictEqual(finished(task));
  });

  it('[STOR-09, S5] that the service refused without an effect are tried again as a whole', async () => {
    const { store, during } = await openBehindFaults();
    const task = taskIn(store);

    const inserted = await during(['throttled', 'conflict', 'conflict'], () => store.insert(task, 1));
    const full = await during(['conflict'], () => store.insert(taskIn(store), 1));
    const replaced = await during(['throttled'], () => store.replace(finished(task)));

    expect(inserted.answer).toMatchObject({ value: 'inserted' });
    expect(inserted.requests.map(({ operation }) => operation)).toStrictEqual(
      Array.from({ length: 4 }, () => 'TransactWriteItems'),
    );
    expect(full.answer).toMatchObject({ value: 'quota_exceeded' });
    expect(replaced.answer).toMatchObject({ value: { ok: true } });
  });

  it('[S7] return the claimed tasks when another claim fails', async () => {
    const { store, during } = await openBehindFaults();
    for (const task of [taskIn(store), taskIn(store)]) await store.insert(task, 10);

    const claim = { worker_id: 'w', tools: ['count'], lease_ms: 60_000, limit: 2 };
    const { answer } = await during(['pass', 'internal'], () => store.claim(claim));

    expect(answer).toMatchObject({ value: [{ epoch: 1, lease: { worker_id: 'w' } }] });
  });

  it('[STOR-12] refuse a client with retries of its own', async () => {
    const client = new DynamoDBClient({ endpoint: inject('dynamodbEndpoint'), region: 'local', credentials });

    const opening = openDynamoDbStore({ table: 'any', client });

    await expect(opening).rejects.toThrow('maxAttempts: 1');
  });
});

describe('reads of DynamoDB', () => {
  it('[STOR-11, TEST-05, S6] list by the owner’s local index, consistently, page by page', async () => {
    const { store, during } = await openBehindFaults();
    // One reading of the clock: with two, both sides of a tick could get the same time.
    const now = store.now();
    const tasks = Array.from({ length: 5 }, (_, i) => taskIn(store, { created_at: now - i }));
    for (const task of tasks) await store.insert(task, 10);

    const first = await during([], () => store.list('sub:alice', null, 2));
    const next = await during([], () => store.list('sub:alice', tasks[1] ?? null, 2));

    expect(first.answer).toMatchObject({ value: tasks.slice(0, 2) });
    expect(next.answer).toMatchObject({ value: tasks.slice(2, 4) });
    for (const { requests } of [first, next]) {
      expect(requests).toHaveLength(1);
      expect(requests[0]).toMatchObject({
        operation: 'Query',
        input: { IndexName: 'by_created', ConsistentRead: true, Limit: 2, ScanIndexForward: false },
      });
    }
  });

  it('[S14] are tried again, fail while the service is unavailable, and work when it is back', async () => {
    const { store, during } = await openBehindFaults();
    const task = taskIn(store);
    await store.insert(task, 10);
    const get = () => store.get(task.owner_id, task.task_id);

    const hiccup = await during(['internal', 'throttled'], get);
    const outage = await during(['unreachable', 'unreachable', 'unreachable'], get);
    const back = await during([], get);

    expect(hiccup.answer).toMatchObject({ value: task });
    expect(outage.answer).toMatchObject({ status: 'rejected', reason: AWAY });
    expect(back.answer).toMatchObject({ value: task });
    expect(back.requests[0]).toMatchObject({ operation: 'GetItem', input: { ConsistentRead: true } });
  });
});
