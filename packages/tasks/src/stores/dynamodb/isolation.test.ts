import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { describeIsolation } from '#wire/testing/describe-isolation';
import { openDynamoDbStore } from './dynamodb-store.ts';
import { tableDefinition } from './table.ts';

describeIsolation('dynamodb', async () => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({
    endpoint: inject('dynamodbEndpoint'),
    region: 'local',
    credentials,
    maxAttempts: 1,
  });
  const table = `tasks-${randomUUID()}`;
  await client.send(new CreateTableCommand(tableDefinition(table).create));
  return { store: await openDynamoDbStore({ table, client }), pass: (ms) => sleep(ms + 25) };
});
