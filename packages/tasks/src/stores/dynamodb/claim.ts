import type { Claim } from '#store';
import { encodeText, fromRow } from '#stores/row';
import type { TaskRecord } from '#task';
import { type Candidate, type FreshTasks, nameOfKey } from './fresh-tasks.ts';
import { type Item, number, numberOrNull, rowOfItem, text, toolKey } from './item.ts';
import type { TableAccess } from './service.ts';
import { CLAIMABLE } from './table.ts';

const MIN_PAGE = 25;

/** Finds tasks in an index that may be behind. A conditional write then claims each of them, or skips it. */
export async function claimTasks(access: TableAccess, fresh: FreshTasks, claim: Claim): Promise<readonly TaskRecord[]> {
  const now = access.now();
  const tools = [...new Set(claim.tools)];
  const indexed = await Promise.all(tools.map((tool) => findClaimable(access, tool, { limit: claim.limit, now })));
  const candidates = oldestFirst([...indexed.flat(), ...fresh.of(tools)]);

  const taken: TaskRecord[] = [];
  let next = 0;
  while (taken.length < claim.limit && next < candidates.length) {
    const wave = candidates.slice(next, next + claim.limit - taken.length);
    next += wave.length;
    for (const { key } of wave) fresh.drop(key);
    const answers = await Promise.allSettled(wave.map(({ key }) => takeTask(access, key, claim)));
    const failed = answers.find(({ status }) => status === 'rejected');
    taken.push(...answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : [])));
    // Claimed tasks must be returned even if another write failed: otherwise nobody would work on them.
    if (failed?.status === 'rejected' && taken.length === 0) throw failed.reason;
    if (failed) break;
  }
  return taken;
}

function oldestFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  const byName = new Map(candidates.map((candidate) => [nameOfKey(candidate.key), candidate]));
  return [...byName.values()].toSorted((a, b) => a.claim_at - b.claim_at);
}

/** Finds more tasks than requested, because other workers look at the same ones at the same time. */
async function findClaimable(
  { service, table }: TableAccess,
  tool: string,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  const wanted = Math.max(limit * 2, MIN_PAGE);
  let from: Item | undefined;
  do {
    const page = await service.query({
      TableName: table,
      IndexName: CLAIMABLE,
      KeyConditionExpression: 'claim_tool = :tool AND claim_at <= :now',
      FilterExpression: 'attribute_not_exists(expires_at) OR expires_at > :now',
      ExpressionAttributeValues: { ':tool': toolKey(tool), ':now': number(now) },
      Limit: wanted,
      ...(from !== undefined && { ExclusiveStartKey: from }),
    });
    for (const { owner_id, task_id, claim_at } of page.Items ?? []) {
      if (owner_id === undefined || task_id === undefined) continue;
      found.push({ key: { owner_id, task_id }, tool, claim_at: numberOrNull(claim_at) ?? 0 });
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined && found.length < wanted);
  return found;
}

/** Claims one task; null when another worker was first, or the task has ended or expired. */
async function takeTask({ service, table, now }: TableAccess, key: Item, claim: Claim): Promise<TaskRecord | null> {
  const at = now();
  try {
    const { Attributes } = await service.update({
      TableName: table,
      Key: key,
      UpdateExpression:
        'SET #version = #version + :one, #epoch = #epoch + :one, #worker_id = :worker, #lease_until = :until, #claim_at = :until',
      ConditionExpression:
        '#live = :one AND (attribute_not_exists(#lease_until) OR #lease_until <= :now) AND (attribute_not_exists(#expires_at) OR #expires_at > :now)',
      ExpressionAttributeNames: {
        '#version': 'version',
        '#epoch': 'epoch',
        '#worker_id': 'worker_id',
        '#lease_until': 'lease_until',
        '#claim_at': 'claim_at',
        '#live': 'live',
        '#expires_at': 'expires_at',
      },
      ExpressionAttributeValues: {
        ':one': number(1),
        ':worker': text(encodeText(claim.worker_id)),
        ':until': number(at + claim.lease_ms),
        ':now': number(at),
      },
      ReturnValues: 'ALL_NEW',
    });
    const row = rowOfItem(Attributes);
    return row === null ? null : fromRow(row);
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null;
    throw error;
  }
}
