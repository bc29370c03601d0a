import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Position } from '#store';
import { encodeText, type TaskRow } from '#stores/row';
import { EXPIRY_SHARDS, TTL_ATTRIBUTE } from './table.ts';

export type Item = Record<string, AttributeValue>;

const FOR_EVER = Number.MAX_SAFE_INTEGER;

export const text = (S: string): AttributeValue => ({ S });
export const number = (N: number): AttributeValue => ({ N: String(N) });

/** Text for a key. A key may not be empty, and `encodeText` returns this replacement for no other text. */
const keyText = (encoded: string): string => (encoded === '' ? '""' : encoded);

export const keyOf = (owner_id: string, task_id: string): Item => ({
  owner_id: text(keyText(encodeText(owner_id))),
  task_id: text(keyText(encodeText(task_id))),
});

export const ownerKey = (owner_id: string): AttributeValue => text(keyText(encodeText(owner_id)));
export const toolKey = (tool: string): AttributeValue => text(keyText(encodeText(tool)));

/** The sort key: the creation time, padded to a fixed number of digits, then the id. */
export const createdSort = ({ created_at, task_id }: Position): AttributeValue =>
  text(`${String(created_at).padStart(16, '0')}:${encodeText(task_id)}`);

export const expiryShard = (shard: number): AttributeValue => text(`expiry-${shard}`);

const shardOf = (task_id: string): number =>
  [...task_id].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % EXPIRY_SHARDS;

/** Epoch seconds for DynamoDB's TTL, which removes items up to days late, but never early. */
export const ttlSeconds = (expires_at: number): number => Math.ceil(expires_at / 1000);

/** Makes the item of a task. Without its index attributes, an ended task leaves the unfinished indexes. */
export function toItem(row: TaskRow, position: Position): Item {
  const { task_id, owner_id, tool, live, version, epoch, worker_id, lease_until, created_at, expires_at, body } = row;
  return {
    owner_id: text(keyText(owner_id)),
    task_id: text(keyText(task_id)),
    tool: text(tool),
    live: number(live),
    version: number(version),
    epoch: number(epoch),
    created_at: number(created_at),
    created_sort: createdSort(position),
    body: text(body),
    ...(worker_id !== null && { worker_id: text(worker_id) }),
    ...(lease_until !== null && { lease_until: number(lease_until) }),
    ...(live === 1 && {
      live_until: number(expires_at ?? FOR_EVER),
      claim_tool: text(keyText(tool)),
      claim_at: number(lease_until ?? created_at),
    }),
    ...(expires_at !== null && {
      expires_at: number(expires_at),
      [TTL_ATTRIBUTE]: number(ttlSeconds(expires_at)),
      expiry_shard: expiryShard(shardOf(task_id)),
    }),
  };
}

/** Reads the row of an item; null when there is none, and for items that are not tasks. */
export function rowOfItem(item: Item | undefined): TaskRow | null {
  if (item?.body?.S === undefined) return null;
  return {
    task_id: item.task_id?.S ?? '',
    owner_id: item.owner_id?.S ?? '',
    tool: item.tool?.S ?? '',
    live: item.live?.N === '1' ? 1 : 0,
    version: Number(item.version?.N),
    epoch: Number(item.epoch?.N),
    worker_id: item.worker_id?.S ?? null,
    lease_until: numberOrNull(item.lease_until),
    created_at: Number(item.created_at?.N),
    expires_at: numberOrNull(item.expires_at),
    body: item.body.S,
  };
}

export const numberOrNull = (value: AttributeValue | undefined): number | null =>
  value?.N === undefined ? null : Number(value.N);
