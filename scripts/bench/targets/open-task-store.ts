import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TaskStore } from '@errand/tasks';
import { openDynamoDbStore } from '@errand/tasks/dynamodb';
import { memoryStore } from '@errand/tasks/memory';
import { openPostgresStore } from '@errand/tasks/postgres';
import { openRedisStore } from '@errand/tasks/redis';
import { openSqliteStore } from '@errand/tasks/sqlite';

export const localDynamoDb = (endpoint: string): DynamoDBClient =>
  new DynamoDBClient({
    endpoint,
    region: 'local',
    maxAttempts: 1,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });

/** Opens a store of this kind at this address. */
export async function openTaskStore(kind: string, address: string): Promise<TaskStore> {
  switch (kind) {
    case 'memory':
      return memoryStore();
    case 'sqlite':
      return await openSqliteStore({ path: address });
    case 'postgres':
      return await openPostgresStore({ url: address });
    case 'redis':
      return await openRedisStore({ url: address });
    case 'dynamodb':
      return await openDynamoDbStore({ table: 'tasks', client: localDynamoDb(address) });
    default:
      throw new Error(`No store of the kind ${kind}.`);
  }
}
