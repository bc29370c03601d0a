import { stderr } from 'node:process';
import { adminToken } from '../../../test/e2e/admin.ts';
import { openSite, type Site } from '../../../test/e2e/board-durability/site.ts';
import { freshPostgres } from '../../../test/e2e/database.ts';
import { errandJson, placeFlags } from '../../../test/e2e/program.ts';
import { startPostgres } from '../../postgres.ts';
import { serve } from '../errand.ts';
import { type Asked, cursorAfter, READS, type Read, searchesOf } from '../million/reads.ts';
import { idOf, seedCrowd } from '../million/seed.ts';
import { percentile } from '../polling.ts';
import { type Finding, milliseconds, type Section } from '../report.ts';
import { type Effort, median, ratio } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const BLOCKED = 10_000;
const MAX_RATIO = 1.3;
const MAX_P95_MS = 50;
/** How many calls make a turn. The median of a turn counts. */
const CALLS = 20;
const DEEP_PAGES = 500;
const SCOPES = 'todo:read,board:read,board:write,issue:read';

interface Served extends AsyncDisposable {
  readonly asked: Asked;
}

async function crowded(site: Site, tasks: number, blocked: number): Promise<Served> {
  const { place, project_id } = site;
  const flags = placeFlags(place);
  const { token } = await errandJson([
    'token',
    'create',
    '--kind',
    'user',
    '--name',
    'bench',
    '--scopes',
    SCOPES,
    ...flags,
  ]);
  await seedCrowd(place, { project_id, tasks, blocked });
  const admin_token = await adminToken(place);
  const [person] = await site.database.rows(
    "select owner_id from projects where kind = 'personal' order by id limit 1",
  );
  const server = await serve(place);
  const asked = {
    origin: server.origin,
    token: String(token),
    admin_token,
    project_id,
    user_id: String(person?.owner_id),
    task_id: idOf(Math.floor(tasks / 2)),
  };
  return { asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function timed(read: Read, asked: Asked): Promise<{ readonly ms: number; readonly rows: number }> {
  const begun = performance.now();
  const rows = await read(asked);
  return { ms: performance.now() - begun, rows };
}

/** Both answer the same number of rows: one that answers none would be fast for the wrong reason. */
async function compared(
  label: string,
  name: string,
  [few, many]: readonly [Asked, Asked],
  turns: number,
): Promise<Finding> {
  const medians: Record<'few' | 'many', number[]> = { few: [], many: [] };
  // Code is compiled, and plans are made, in the first turn.
  for (let turn = 0; turn <= turns; turn++) {
    const times: Record<'few' | 'many', number[]> = { few: [], many: [] };
    for (let call = 0; call < CALLS; call++) {
      const read = READS[name] as Read;
      // The order alternates, so that neither side always runs right after the other one's work.
      const isSmallFirst = call % 2 === 0;
      const first = await timed(read, isSmallFirst ? few : many);
      const second = await timed(read, isSmallFirst ? many : few);
      const [quick, slow] = isSmallFirst ? [first, second] : [second, first];
      if (quick.rows !== slow.rows) throw new Error(`${name}: ${quick.rows} and ${slow.rows} rows.`);
      times.few.push(quick.ms);
      times.many.push(slow.ms);
    }
    if (turn === 0) continue;
    for (const size of ['few', 'many'] as const) medians[size].push(percentile(times[size], 0.5));
  }
  const measured = ratio(medians.many, medians.few);
  return {
    subject: `${label}, ${name}`,
    figure: `p50 ${milliseconds(median(medians.many))}`,
    against: `of ${FEW.toLocaleString('en')}: ${milliseconds(median(medians.few))}`,
    ratio: measured,
    target: `≤ ${MAX_RATIO} ×`,
    met: measured <= MAX_RATIO,
  };
}

async function searched(label: string, words: string, read: Read, many: Asked, calls: number): Promise<Finding> {
  for (let warm = 0; warm < 5; warm++) await read(many);
  const times: number[] = [];
  for (let call = 0; call < calls; call++) times.push((await timed(read, many)).ms);
  const p95 = percentile(times, 0.95);
  return {
    subject: `${label}, search for ${words}`,
    figure: `p50 ${milliseconds(percentile(times, 0.5))}, p95 ${milliseconds(p95)}`,
    target: `p95 ≤ ${MAX_P95_MS} ms`,
    met: p95 <= MAX_P95_MS,
  };
}

async function onStore(
  label: string,
  database: () => Promise<string | undefined>,
  { rounds, seconds }: Effort,
): Promise<readonly Finding[]> {
  await using small = await openSite(await database());
  await using large = await openSite(await database());
  await using few = await crowded(small, FEW, 0);
  await using many = await crowded(large, MANY, BLOCKED);

  const findings: Finding[] = [];
  const found = (finding: Finding): void => {
    findings.push(finding);
    stderr.write(
      `  ${finding.subject}: ${finding.figure}${finding.ratio === undefined ? '' : `, ${finding.ratio.toFixed(2)} ×`}\n`,
    );
  };
  for (const name of Object.keys(READS)) {
    found(await compared(label, name, [few.asked, many.asked], Math.ceil((rounds * seconds) / 2)));
  }
  const deep = await cursorAfter(many.asked, DEEP_PAGES);
  for (const [words, read] of Object.entries(searchesOf(large.project_id, deep))) {
    found(await searched(label, words, read, many.asked, rounds * seconds * 10));
  }
  return findings;
}

/** Compares every read of a project of a million tasks to that of a thousand, and times searches among them. */
export const million: Suite = async ({ effort }): Promise<Section> => {
  const postgres = await startPostgres();
  try {
    return {
      title: 'Growing: a project of a million tasks',
      how: `${MANY.toLocaleString('en')} tasks against ${FEW.toLocaleString('en')}, over HTTP, one call at a time, in turns; the time is that of the caller. ${BLOCKED.toLocaleString('en')} blocked tasks come before those that \`next_task\` and the ready list find among the many. A tenth as many todos, merged attempts, audited calls and events are beside them.`,
      findings: [
        ...(await onStore('SQLite', async () => undefined, effort)),
        ...(await onStore('PostgreSQL', () => freshPostgres(postgres.url), effort)),
      ],
    };
  } finally {
    await postgres.stop();
  }
};
