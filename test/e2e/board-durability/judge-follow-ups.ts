import type { Database } from '../database.ts';
import { markOf } from './agent-log.ts';
import type { StoredRun } from './judge-runs.ts';
import type { Ledger } from './ledger.ts';

/** Checks follow-ups: each queued one that was not withdrawn must have started exactly once. */
export async function judgeFollowUps(
  database: Database,
  runs: readonly StoredRun[],
  { waiting, begun }: Pick<Ledger, 'waiting' | 'begun'>,
): Promise<readonly string[]> {
  const rows = (await database.rows('select id, prompt, status, execution_id from queued_prompts')).map((row) => ({
    id: String(row.id),
    key: markOf(String(row.prompt)) ?? '',
    status: String(row.status),
    execution_id: row.execution_id === null ? null : String(row.execution_id),
  }));
  const byKey = Map.groupBy(runs, ({ key }) => key);
  const found: string[] = [];

  for (const { id, key, status, execution_id } of rows) {
    const own = byKey.get(key) ?? [];
    const expected = status === 'cancelled' ? 0 : 1;
    if (own.length !== expected) found.push(`follow-up ${key} (${id}) is ${status}, and has ${own.length} runs`);
    if (expected === 1 && own[0]?.id !== execution_id) found.push(`follow-up ${key}: ${execution_id} is not its run`);
  }
  for (const [key, own] of byKey) if (own.length > 1) found.push(`${key}: ${own.length} runs`);
  const count = (wanted: string): number => rows.filter(({ status }) => status === wanted).length;
  const [started, cancelled] = [count('started'), count('cancelled')];
  if (started !== rows.length - cancelled)
    found.push(`${rows.length} queued, ${cancelled} cancelled, ${started} started`);

  const ids = new Set(rows.map(({ id }) => id));
  for (const [key, id] of waiting) if (!ids.has(id)) found.push(`follow-up ${key}: was said to wait, and is gone`);
  const runIds = new Set(runs.map(({ id }) => id));
  for (const [key, id] of begun) if (!runIds.has(id)) found.push(`run ${key}: was said to begin, and is gone`);
  return found;
}
