import type { Position } from '#store';
import { fromRow } from '#stores/row';
import type { TaskRecord } from '#task';
import { createdSort, type Item, number, ownerKey, rowOfItem } from './item.ts';
import type { TableAccess } from './service.ts';
import { BY_CREATED } from './table.ts';

/** Lists tasks through a local index of the owner's partition, which supports consistent reads. */
export async function listTasks(
  { service, table, now }: TableAccess,
  owner_id: string,
  after: Position | null,
  limit: number,
): Promise<readonly TaskRecord[]> {
  const tasks: TaskRecord[] = [];
  let from: Item | undefined;
  do {
    const page = await service.query({
      TableName: table,
      IndexName: BY_CREATED,
      Select: 'ALL_ATTRIBUTES',
      ConsistentRead: true,
      ScanIndexForward: false,
      KeyConditionExpression: `owner_id = :owner${after === null ? '' : ' AND created_sort < :after'}`,
      FilterExpression: 'attribute_not_exists(expires_at) OR expires_at > :now',
      ExpressionAttributeValues: {
        ':owner': ownerKey(owner_id),
        ':now': number(now()),
        ...(after !== null && { ':after': createdSort(after) }),
      },
      Limit: limit - tasks.length,
      ...(from !== undefined && { ExclusiveStartKey: from }),
    });
    const rows = (page.Items ?? []).map(rowOfItem).filter((row) => row !== null);
    tasks.push(...rows.map(fromRow));
    from = page.LastEvaluatedKey;
  } while (from !== undefined && tasks.length < limit);
  return tasks;
}
