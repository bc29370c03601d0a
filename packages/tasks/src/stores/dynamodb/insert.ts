import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type { Inserted } from '#store';
import { toRow } from '#stores/row';
import { storeAway } from '#stores/store-away';
import { expiresAt, type TaskRecord } from '#task';
import { type Item, keyOf, number, numberOrNull, ownerKey, text, toItem, ttlSeconds } from './item.ts';
import { pause, type TableAccess } from './service.ts';
import { UNFINISHED } from './table.ts';

/** The counter item: it names all unfinished tasks of the owner, and perhaps some that have ended. */
const COUNTER = '#unfinished';
/** The most task ids that fit into one item. */
const MAX_NAMES = 5_000;
/** The counter expires this much later than its tasks, so that a difference of clocks does not remove it too early. */
const COUNTER_SLACK_S = 86_400;
const FAR_FUTURE_S = 9_999_999_999;
const MAX_TRIES = 40;
/** Refusals because of conflicts or throttling: the same request may succeed a moment later. */
const UNDONE: ReadonlySet<string> = new Set([
  'None',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'TransactionConflict',
]);

const codes = (reasons: readonly CancellationReason[]): readonly string[] => reasons.map(({ Code }) => Code ?? 'None');

/**
 * Writes the task and adds its id to the counter in one transaction, which fails when the counter is full. Ended tasks
 * leave the counter only when it is full, so that the end of a task is one conditional write of one item.
 */
export async function insertTask(access: TableAccess, record: TaskRecord, quota: number): Promise<Inserted> {
  if (quota < 1) return 'quota_exceeded';
  const most = Math.min(quota, MAX_NAMES);
  let counter_expires = counterExpiry(record);
  let failure: unknown;

  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const reasons = await attemptInsert(access, record, { most, counter_expires });
    if (reasons === null) return 'inserted';
    const [task, counter] = reasons;
    if (task?.Code === 'ConditionalCheckFailed') return 'exists';

    if (counter?.Code === 'ConditionalCheckFailed') {
      counter_expires = Math.max(counter_expires, numberOrNull(counter.Item?.expires) ?? 0);
      const names = counter.Item?.names?.SS ?? [];
      if (names.length >= most && !(await dropEnded(access, record.owner_id, names))) return 'quota_exceeded';
    } else {
      failure = new Error(`DynamoDB cancelled the insertion: ${codes(reasons).join(', ')}.`);
      if (!codes(reasons).every((code) => UNDONE.has(code))) break;
      await pause(attempt);
    }
  }
  throw storeAway(failure);
}

/** Returns null on success, else the reasons of the refusal for the task and for the counter. */
async function attemptInsert(
  { service, table }: TableAccess,
  record: TaskRecord,
  { most, counter_expires }: { readonly most: number; readonly counter_expires: number },
): Promise<readonly CancellationReason[] | null> {
  const item = toItem(toRow(record), record);
  try {
    await service.transact({
      TransactItems: [
        {
          Put: {
            TableName: table,
            Item: item,
            ConditionExpression: 'attribute_not_exists(task_id)',
          },
        },
        {
          Update: {
            TableName: table,
            Key: keyOf(record.owner_id, COUNTER),
            UpdateExpression: 'ADD #names :name SET #expires = :expires',
            ConditionExpression:
              '(attribute_not_exists(#names) OR size(#names) < :most) AND (attribute_not_exists(#expires) OR #expires <= :expires)',
            ExpressionAttributeNames: { '#names': 'names', '#expires': 'expires' },
            ExpressionAttributeValues: {
              ':name': { SS: [item.task_id?.S ?? ''] },
              ':most': number(most),
              ':expires': number(counter_expires),
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
      ],
    });
    return null;
  } catch (error) {
    return cancellationReasons(error);
  }
}

function cancellationReasons(error: unknown): readonly CancellationReason[] {
  if (error instanceof Error && 'CancellationReasons' in error && Array.isArray(error.CancellationReasons)) {
    return error.CancellationReasons;
  }
  throw error;
}

/** Removes ended and expired tasks from the counter. Returns false when there are none. */
async function dropEnded(access: TableAccess, owner_id: string, names: readonly string[]): Promise<boolean> {
  const { service, table } = access;
  const live = await unfinishedNames(access, owner_id);
  const suspects = names.filter((name) => !live.has(name));
  // An index may be a moment behind a transaction. A consistent read of the item is not.
  const ended = await Promise.all(suspects.map((name) => hasEnded(access, owner_id, name)));
  const gone = suspects.filter((_, i) => ended[i]);
  if (gone.length === 0) return false;
  await service.update({
    TableName: table,
    Key: keyOf(owner_id, COUNTER),
    UpdateExpression: 'DELETE #names :gone',
    ExpressionAttributeNames: { '#names': 'names' },
    ExpressionAttributeValues: { ':gone': { SS: gone } },
  });
  return true;
}

async function unfinishedNames({ service, table, now }: TableAccess, owner_id: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let from: Item | undefined;
  do {
    const page = await service.query({
      TableName: table,
      IndexName: UNFINISHED,
      ConsistentRead: true,
      KeyConditionExpression: 'owner_id = :owner AND live_until > :now',
      ExpressionAttributeValues: { ':owner': ownerKey(owner_id), ':now': number(now()) },
      ...(from !== undefined && { ExclusiveStartKey: from }),
    });
    for (const item of page.Items ?? []) names.add(item.task_id?.S ?? '');
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return names;
}

async function hasEnded({ service, table, now }: TableAccess, owner_id: string, name: string): Promise<boolean> {
  const { Item: item } = await service.get({
    TableName: table,
    Key: { owner_id: ownerKey(owner_id), task_id: text(name) },
    ConsistentRead: true,
    ProjectionExpression: 'live_until',
  });
  const live_until = numberOrNull(item?.live_until);
  return live_until === null || live_until <= now();
}

function counterExpiry(record: TaskRecord): number {
  const expires_at = expiresAt(record);
  return expires_at === null ? FAR_FUTURE_S : Math.min(ttlSeconds(expires_at) + COUNTER_SLACK_S, FAR_FUTURE_S);
}
