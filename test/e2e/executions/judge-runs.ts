import type { Database, Row } from '../database.ts';
import { type Plan, type Reports, stepName } from './report-runs.ts';

const by = (rows: readonly Row[], field: string): ReadonlyMap<unknown, readonly Row[]> =>
  Map.groupBy(rows, (row) => row[field]);

/** Checks the numbers of all events: they start at one and have no gap. */
async function judgeNumbers(database: Database): Promise<readonly string[]> {
  const [numbers] = await database.rows(
    `select count(*) as n, coalesce(min(seq), 1) as first, coalesce(max(seq), 0) as last,
      (select seq from event_head) as head from events`,
  );
  const [n, first, last, head] = ['n', 'first', 'last', 'head'].map((name) => Number(numbers?.[name]));
  return first === 1 && last === n && head === n ? [] : [`${n} events from ${first} to ${last}, the head at ${head}`];
}

/** Checks the stored rows against the answers that the reporters got. Returns the broken promises. */
export async function judgeRuns(
  database: Database,
  { runs, steps }: Plan,
  { runs: reported, faults }: Reports,
): Promise<readonly string[]> {
  const found = [...faults, ...(await judgeNumbers(database))];
  const executions = await database.rows('select id, name from executions');
  const rows = by(await database.rows('select id, execution_id, seq, name from steps order by seq'), 'execution_id');
  const created_events = by(
    (
      await database.rows(`
        select events.rest from events join event_shapes on event_shapes.id = events.shape
        where event_shapes.shape like '% step.created %' order by events.seq`)
    ).map(({ rest }) => (JSON.parse(String(rest)) as { readonly data: Row }).data),
    'execution_id',
  );
  const audited = await database.rows(
    `select entity_id as id, count(*) as n from trail where entity = 'step' group by entity_id`,
  );
  const entries = new Map(audited.map(({ id, n }) => [id, Number(n)]));

  if (executions.length !== runs) found.push(`${executions.length} runs are stored, not ${runs}`);
  for (const { id, name } of executions) {
    const acked = reported.get(String(name));
    const kept = rows.get(id) ?? [];
    const names = kept.map((row) => `${Number(row.seq)} ${String(row.name)}`);
    const expected = Array.from({ length: steps }, (_, i) => `${i + 1} ${stepName(i + 1)}`);
    const ids = kept.map((row) => String(row.id));
    if (acked?.id !== id) found.push(`${name}: acknowledged as ${acked?.id}, stored as ${id}`);
    if (names.join() !== expected.join()) found.push(`${name}: its steps are ${names.join()}`);
    if (ids.join() !== acked?.step_ids.join()) found.push(`${name}: not the steps that were acknowledged`);
    if ((created_events.get(id) ?? []).map((step) => step.id).join() !== ids.join()) {
      found.push(`${name}: its events are not its steps in their order`);
    }
    if (ids.some((step) => entries.get(step) !== 1)) found.push(`${name}: a step has not one entry in the audit trail`);
  }
  return found;
}
