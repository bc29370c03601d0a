import { DeleteItemCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { describe, inject, it } from 'vitest';
import type { TaskStore } from '#store';
import { describeTaskStore } from '#testing/contract';
import { openDynamoDbStore } from './dynamodb-store.ts';

const table = inject('dynamodbTable');

async function empty(client: DynamoDBClient): Promise<void> {
  const pages = paginateScan({ client }, { TableName: table, ProjectionExpression: 'owner_id, task_id' });
  for await (const { Items = [] } of pages) {
    await Promise.all(Items.map((Key) => client.send(new DeleteItemCommand({ TableName: table, Key }))));
  }
}

if (table === '') {
  describe('task store: dynamodb, on a real table', () => {
    it.skip(
      'keeps the contract — runs when ERRAND_TEST_DYNAMODB_TABLE names a table that may be emptied, and AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY lead to it',
    );
  });
} else {
  const second = (): Promise<TaskStore> => openDynamoDbStore({ table });
  const open = async (): Promise<TaskStore> => {
    await empty(new DynamoDBClient({}));
    return second();
  };

  describeTaskStore('dynamodb, on a real table', open, { second, claim_within_ms: 10_000 });
}
