import { type Database, postgresDatabase, sqliteDatabase } from '../database.ts';
import { errand, placeFlags } from '../program.ts';
import type { Ledger } from './writers.ts';

async function counts(database: Database, sql: string): Promise<ReadonlyMap<string, number>> {
  const rows = await database.rows(sql);
  return new Map(rows.map(({ key, n }) => [String(key), Number(n)]));
}

/** Checks the stored rows against the answers that the writers got. Returns the broken promises. */
export async function judge(
  data: string,
  { acked, faults }: Ledger,
  database_url?: string,
): Promise<readonly string[]> {
  await using database = database_url === undefined ? sqliteDatabase(data) : postgresDatabase(database_url);
  const found = [...faults];

  if (database_url === undefined) {
    const [integrity] = await database.rows('pragma integrity_check');
    if (integrity?.integrity_check !== 'ok') found.push(`integrity_check: ${JSON.stringify(integrity)}`);
  }

  const items = await counts(database, 'select title as key, count(*) as n from work_items group by title');
  for (const [key, n] of items) if (n !== 1) found.push(`${key}: ${n} work items`);

  const ids = new Map((await database.rows('select id, title from work_items')).map((row) => [row.title, row.id]));
  const audits = await counts(
    database,
    `select idempotency_key as key, count(*) as n from trail where outcome = 'ok' and idempotency_key is not null group by idempotency_key`,
  );
  const records = await counts(database, 'select key, count(*) as n from answers group by key');
  for (const [key, task_id] of acked) {
    if (ids.get(key) !== task_id) found.push(`${key}: answered as ${task_id}, stored as ${ids.get(key)}`);
    if (audits.get(key) !== 1) found.push(`${key}: ${audits.get(key) ?? 0} audit rows`);
    if (records.get(key) !== 1) found.push(`${key}: ${records.get(key) ?? 0} idempotency rows`);
  }
  return found;
}

/** True when the audit chain is valid from its first entry to its head. */
export async function verifyChain(data: string, database_url?: string): Promise<boolean> {
  const { code, stdout } = await errand(['audit', 'verify', '--json', ...placeFlags({ data, database_url })]);
  const { intact } = JSON.parse(stdout) as { intact: unknown };
  return code === 0 && intact === true;
}
