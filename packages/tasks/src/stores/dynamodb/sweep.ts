import { expiryShard, type Item, number } from './item.ts';
import type { TableAccess } from './service.ts';
import { BY_EXPIRY, EXPIRY_SHARDS } from './table.ts';

/** Removes expired tasks. The service would remove them too, but up to days later. */
export async function sweepTasks(access: TableAccess, limit: number): Promise<number> {
  let removed = 0;
  for (let shard = 0; shard < EXPIRY_SHARDS && removed < limit; shard += 1) {
    const keys = await findExpired(access, { shard, limit: limit - removed });
    const done = await Promise.all(keys.map((key) => removeExpired(access, key)));
    removed += done.filter(Boolean).length;
  }
  return removed;
}

async function findExpired(
  { service, table, now }: TableAccess,
  { shard, limit }: { readonly shard: number; readonly limit: number },
): Promise<readonly Item[]> {
  const { Items = [] } = await service.query({
    TableName: table,
    IndexName: BY_EXPIRY,
    KeyConditionExpression: 'expiry_shard = :shard AND expires_at <= :now',
    ExpressionAttributeValues: { ':shard': expiryShard(shard), ':now': number(now()) },
    Limit: limit,
  });
  return Items.flatMap(({ owner_id, task_id }) => (owner_id && task_id ? [{ owner_id, task_id }] : []));
}

/** Removes the task only if it is still expired: the index may be behind a write that extended its TTL. */
async function removeExpired({ service, table, now }: TableAccess, key: Item): Promise<boolean> {
  try {
    await service.remove({
      TableName: table,
      Key: key,
      ConditionExpression: 'expires_at <= :now',
      ExpressionAttributeValues: { ':now': number(now()) },
    });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}
