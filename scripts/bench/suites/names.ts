import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openSite } from '../../../test/e2e/board-durability/site.ts';
import { freshPostgres } from '../../../test/e2e/database.ts';
import { bearer, send } from '../../../test/e2e/http.ts';
import type { Place } from '../../../test/e2e/program.ts';
import { startPostgres } from '../../postgres.ts';
import { serve } from '../errand.ts';
import { percentile } from '../polling.ts';
import { type Finding, milliseconds, type Section } from '../report.ts';
import { type Effort, median } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const TASKS = 1_000_000;
const MAX_RATIO = 1.3;
/** How many calls of each form make a turn. The median of a turn counts. */
const CALLS = 50;
/** The key of the site's project, Shop. */
const KEY = 'SHO';
/** The moment of the first task: one follows each second, so that 13 characters of an id mean one task. */
const FIRST_MS = 1_600_000_000_000;

const hexOf = (number: number): string => (FIRST_MS + number * 1_000).toString(16).padStart(12, '0');

const idOf = (number: number): string =>
  `${hexOf(number).slice(0, 8)}-${hexOf(number).slice(8)}-7000-8000-${String(number).padStart(12, '0')}`;

/** The forms of a task's name. */
const FORMS = {
  id: idOf,
  key: (number: number) => `${KEY}-${number}`,
  start: (number: number) => idOf(number).slice(0, 13),
} as const;

type Form = keyof typeof FORMS;

const ID = {
  sqlite: `substr(printf('%012x', ${FIRST_MS} + n.i * 1000), 1, 8) || '-' || substr(printf('%012x', ${FIRST_MS} + n.i * 1000), 9)
    || '-7000-8000-' || printf('%012d', n.i)`,
  postgres: `substr(lpad(to_hex(${FIRST_MS} + n.i::bigint * 1000), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(${FIRST_MS} + n.i::bigint * 1000), 12, '0'), 9)
    || '-7000-8000-' || lpad(n.i::text, 12, '0')`,
};

/** Tasks with their numbers, written directly: through the product a million would take minutes. */
const statementsFor = (dialect: keyof typeof ID, project_id: string): readonly string[] => [
  `insert into work_items (id, workspace_id, project_id, state_id, title, priority, sort_order, version, created_at, updated_at, number)
   with recursive n (i) as (select 1 union all select i + 1 from n where i < ${TASKS})
   select ${ID[dialect]}, p.workspace_id, p.id, s.id, 'Task ' || n.i, 'none', n.i, 1, n.i, n.i, n.i
   from n cross join projects p join states s on s.project_id = p.id and s.slug = 'todo' where p.id = '${project_id}'`,
  `insert into item_numbers (project_id, last) values ('${project_id}', ${TASKS})`,
];

async function seed({ data, database_url }: Place, project_id: string): Promise<void> {
  if (database_url === undefined) {
    const file = new DatabaseSync(join(data, 'errand.db'), { timeout: 60_000 });
    for (const statement of statementsFor('sqlite', project_id)) file.exec(statement);
    return file.close();
  }
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  for (const statement of [...statementsFor('postgres', project_id), 'analyze']) await client.query(statement);
  await client.end();
}

type Ask = (form: Form, number: number) => Promise<void>;

/** The median time of a call by each form, turn by turn. The forms take turns call by call. */
async function measure(ask: Ask, { rounds, seconds }: Effort): Promise<Readonly<Record<Form, readonly number[]>>> {
  const turns: Record<Form, number[]> = { id: [], key: [], start: [] };
  // Code is compiled in the first turn.
  for (let turn = 0; turn <= rounds * seconds; turn++) {
    const times: Record<Form, number[]> = { id: [], key: [], start: [] };
    for (let call = 0; call < CALLS; call++) {
      for (const form of Object.keys(FORMS) as Form[]) {
        const number = 1 + (((turn * CALLS + call) * 7_919 + form.length * 104_729) % TASKS);
        const begun = performance.now();
        await ask(form, number);
        times[form].push(performance.now() - begun);
      }
    }
    if (turn > 0) for (const form of Object.keys(FORMS) as Form[]) turns[form].push(percentile(times[form], 0.5));
  }
  return turns;
}

async function onStore(label: string, database_url: string | undefined, effort: Effort): Promise<readonly Finding[]> {
  await using site = await openSite(database_url);
  await using server = await serve(site.place);
  const headers = bearer(site.token);
  await seed(site.place, site.project_id);
  const turns = await measure(async (form, number) => {
    const asked = `/api/v1/board/tasks/${FORMS[form](number)}`;
    const { status, text } = await send(server.origin, { method: 'GET', path: asked, headers });
    if (status !== 200 || !text.includes(idOf(number)))
      throw new Error(`get_task by ${form} answered ${status}: ${text}`);
  }, effort);
  const byId = median(turns.id);
  return (['key', 'start'] as const).map((form) => {
    const ratio = median(turns[form]) / byId;
    return {
      subject: `${label}, by ${form === 'key' ? 'key' : 'the first 13 characters of its id'}`,
      figure: `p50 ${milliseconds(median(turns[form]))}`,
      against: `by its id: ${milliseconds(byId)}`,
      ratio,
      target: `≤ ${MAX_RATIO} ×`,
      met: ratio <= MAX_RATIO,
    };
  });
}

/** Compares looking up one task of a million by its key, and by the start of its id, to looking it up by its id. */
export const names: Suite = async ({ effort }): Promise<Section> => {
  const postgres = await startPostgres();
  try {
    return {
      title: 'Growing: `get_task` by its short name',
      how: `A project of ${TASKS.toLocaleString('en')} tasks, over HTTP, one call at a time, the forms in turns; the time is that of the caller.`,
      findings: [
        ...(await onStore('SQLite', undefined, effort)),
        ...(await onStore('PostgreSQL', await freshPostgres(postgres.url), effort)),
      ],
    };
  } finally {
    await postgres.stop();
  }
};
