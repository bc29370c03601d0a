import type { Replaced } from '#store';
import { fromRow, isOver, type TaskRow } from '#stores/row';
import type { TaskRecord } from '#task';
import { type Item, number, rowOfItem, toItem } from './item.ts';
import type { TableAccess } from './service.ts';

/** Replaces the item with one conditional write. A refusal contains the current item. */
export async function replaceItem(
  { service, table, now }: TableAccess,
  record: TaskRecord,
  row: TaskRow,
): Promise<Replaced> {
  try {
    await service.put({
      TableName: table,
      Item: toItem(row, record),
      ConditionExpression: '#version = :before AND (attribute_not_exists(#expires_at) OR #expires_at > :now)',
      ExpressionAttributeNames: { '#version': 'version', '#expires_at': 'expires_at' },
      ExpressionAttributeValues: { ':before': number(record.version - 1), ':now': number(now()) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return { ok: true };
  } catch (error) {
    const current = rowOfItem(refusedItem(error));
    return { ok: false, current: current === null || isOver(current, now()) ? null : fromRow(current) };
  }
}

/** Returns the item of a refused condition; undefined when there was none. Throws any other error. */
function refusedItem(error: unknown): Item | undefined {
  if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
  // The cast: the SDK declares `Item` on its own class, which is not loaded here.
  return 'Item' in error ? (error.Item as Item | undefined) : undefined;
}
