import { type Item, ownerKey } from './item.ts';
import type { TableAccess } from './service.ts';
import { BY_CREATED } from './table.ts';

/** Removes finished tasks of the owner, the oldest first, until `most` are left. */
export async function trimTasks(access: TableAccess, owner_id: string, most: number): Promise<number> {
  const { service, table } = access;
  let [kept, removed] = [0, 0];
  let from: Item | undefined;
  do {
    const page = await service.query({
      TableName: table,
      IndexName: BY_CREATED,
      // The index does not contain `live`, so DynamoDB cannot filter by it. It fetches `live` from the table instead.
      ProjectionExpression: 'owner_id, task_id, #live',
      ConsistentRead: true,
      ScanIndexForward: false,
      KeyConditionExpression: 'owner_id = :owner',
      ExpressionAttributeNames: { '#live': 'live' },
      ExpressionAttributeValues: { ':owner': ownerKey(owner_id) },
      ...(from !== undefined && { ExclusiveStartKey: from }),
    });
    const keys = (page.Items ?? []).flatMap(({ owner_id: owner, task_id, live }) =>
      owner && task_id && live?.N === '0' ? [{ owner_id: owner, task_id }] : [],
    );
    const staying = Math.min(keys.length, most - kept);
    kept += staying;
    await Promise.all(keys.slice(staying).map((key) => service.remove({ TableName: table, Key: key })));
    removed += keys.length - staying;
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return removed;
}
