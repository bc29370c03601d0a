import { keyOf } from './item.ts';
import type { DynamoDbService } from './service.ts';

const SECOND_MS = 1000;

/**
 * Reads the service's clock, in whole seconds. When our clock agrees with it, ours is more precise; when it does not,
 * ours is wrong.
 */
export async function readServiceTime({ readDate }: Pick<DynamoDbService, 'readDate'>, table: string): Promise<number> {
  const asked_at = Date.now();
  const date = await readDate({ TableName: table, Key: keyOf('#clock', '#clock'), ConsistentRead: false });
  const answered_at = Date.now();
  const agrees = date === null || (answered_at >= date && asked_at < date + SECOND_MS);
  return agrees ? Math.floor((asked_at + answered_at) / 2) : date + SECOND_MS / 2;
}
