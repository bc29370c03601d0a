import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { createTasks, type TaskContext } from '@errand/tasks';
import { openDynamoDbStore, tableDefinition } from '@errand/tasks/dynamodb';
import { startDynamoDb } from '../../../scripts/dynamodb.ts';

const { values } = parseArgs({ options: { endpoint: { type: 'string' } } });
const local = values.endpoint === undefined ? await startDynamoDb() : undefined;

// DynamoDB Local accepts any credentials. In AWS leave out both, and the SDK finds its own.
const client = new DynamoDBClient({
  endpoint: values.endpoint ?? local?.endpoint ?? '',
  region: 'eu-central-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});

const table = `tasks-${randomUUID()}`;
console.log(`Making the table, which cloudformation/tasks-table.yaml does in AWS.`);
const definition = tableDefinition(table);
await client.send(new CreateTableCommand(definition.create));
await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName: table });
await client.send(new UpdateTimeToLiveCommand(definition.time_to_live));

const OWNER = 'sub:ann';
async function resizeImages({ arguments: args, progress, setVariable }: TaskContext) {
  for (let image = 1; image <= 3; image += 1) {
    await progress(image, 3);
    await setVariable('last', `${args.folder}/${image}.png`);
  }
  return { content: [{ type: 'text', text: '3 images' }] };
}
async function waitForEver({ signal }: TaskContext): Promise<never> {
  await sleep(2 ** 30, undefined, { signal });
  throw new Error('The wait is over.');
}
const tools = { resize_images: resizeImages, wait: waitForEver };

console.log('One process takes requests, another does the work; they share the table and nothing else.');
const front = createTasks({
  store: await openDynamoDbStore({ client, table }),
  tools,
  worker: false,
  poll_interval_ms: 100,
});
const worker = createTasks({ store: await openDynamoDbStore({ client, table }), tools, poll_interval_ms: 100 });

const created = await front.create({ owner_id: OWNER, tool: 'resize_images', arguments: { folder: 'holiday' } });
console.log(`  ${created.status}`);
const ended = await front.wait(OWNER, created.task_id);
console.log(`  ${ended.status}: ${JSON.stringify(ended.outcome)} ${JSON.stringify(ended.variables)}`);
assert.equal(ended.status, 'completed');
assert.deepEqual(ended.variables, { last: 'holiday/3.png' });

console.log('Of many who end a task at once one wins: each change is one conditional write.');
const contested = await front.create({ owner_id: OWNER, tool: 'wait', arguments: {} });
const attempts = await Promise.allSettled(
  Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? front : worker).cancel(OWNER, contested.task_id, `number ${i}`)),
);
const winners = attempts.filter(({ status }) => status === 'fulfilled');
console.log(`  ${winners.length} of ${attempts.length}`);
assert.equal(winners.length, 1);

console.log('The list is of one owner, newest first.');
const { tasks } = await front.list(OWNER);
console.log(`  ${tasks.map(({ request, status }) => `${request.tool} ${status}`).join(', ')}`);
assert.deepEqual(
  tasks.map(({ task_id }) => task_id),
  [contested.task_id, created.task_id],
);
assert.deepEqual((await front.list('sub:bob')).tasks, []);

await Promise.all([front.close(), worker.close()]);
await client.send(new DeleteTableCommand({ TableName: table }));
client.destroy();
await local?.stop();
console.log('All checks passed.');
