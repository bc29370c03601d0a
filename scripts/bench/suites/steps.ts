import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Database, freshPostgres, postgresDatabase, sqliteDatabase } from '../../../test/e2e/database.ts';
import { temporaryFolder } from '../../../test/e2e/program.ts';
import { startPostgres } from '../../postgres.ts';
import { startChild } from '../child.ts';
import { startErrand } from '../errand.ts';
import { type Burst, fire, type Shot } from '../load.ts';
import { type Finding, milliseconds, perSecond, type Section } from '../report.ts';
import { openReporters } from '../reporters.ts';
import { compete, median, ratio } from '../rounds.ts';
import type { Conditions, Suite } from '../suite.ts';

const REPORTERS = 50;
const RUNS = 10_000;
const STEPS = 20;

/** Counts the rows that each acknowledged step must have written. */
async function countTrail(database: Database): Promise<number> {
  const [row] = await database.rows(`select
    (select count(*) from steps) as steps,
    (select count(*) from events join event_shapes on event_shapes.id = events.shape
      where event_shapes.shape like '% step.created %') as events,
    (select count(*) from trail where entity = 'step') as entries`);
  return Math.min(Number(row?.steps), Number(row?.events), Number(row?.entries));
}

const speed = ({ requests, seconds }: Burst): number => requests / seconds;

interface Rival {
  readonly label: string;
  readonly url: string;
  readonly least?: number;
}

/** Reports steps to Errand and to its rivals in turns. Every acknowledged step must have its rows. */
async function reportAgainst(
  { shot, database, label }: { readonly shot: Shot; readonly database: Database; readonly label: string },
  rivals: readonly Rival[],
  { effort, wrk }: Conditions,
): Promise<Finding[]> {
  const ours: Burst[] = [];
  const run = async (seconds: number): Promise<number> => {
    const burst = await fire(shot, { connections: REPORTERS, seconds }, wrk);
    ours.push(burst);
    return speed(burst);
  };
  const others = rivals.map(({ label: name, url }) => ({
    name,
    run: async (seconds: number) => speed(await fire({ ...shot, url }, { connections: REPORTERS, seconds }, wrk)),
  }));
  const figures = await compete<number>([{ name: 'ours', run }, ...others], effort);

  const acknowledged = ours.reduce((sum, { requests }) => sum + requests, 0);
  const missing = acknowledged - (await countTrail(database));
  if (missing > 0) throw new Error(`${missing} of ${acknowledged} steps left no step, event or audit entry.`);

  const mine = figures.get('ours') ?? [];
  const p99 = median(ours.slice(1).map(({ p99_ms }) => p99_ms));
  const failed = ours.reduce((sum, burst) => sum + burst.failed, 0);
  return [
    ...rivals.map(({ label: name, least }): Finding => {
      const theirs = figures.get(name) ?? [];
      const measured = ratio(mine, theirs);
      return {
        subject: label,
        figure: perSecond(median(mine)),
        against: `${name}: ${perSecond(median(theirs))}`,
        ratio: measured,
        ...(least !== undefined && { target: `≥ ${least} ×`, met: measured >= least }),
      };
    }),
    { subject: `${label}, p99`, figure: milliseconds(p99) },
    { subject: `${label}, errors`, figure: String(failed), target: '0', met: failed === 0 },
  ];
}

async function onSqlite(echo: Rival, conditions: Conditions): Promise<Finding[]> {
  await using folder = await temporaryFolder();
  await using errand = await startErrand({ data: folder.path });
  await using database = sqliteDatabase(folder.path);
  const { shot } = await openReporters(errand, { runs: RUNS, at_once: REPORTERS, steps: STEPS });
  const copy = join(folder.path, 'bare.db');
  const source = new DatabaseSync(join(folder.path, 'errand.db'));
  source.prepare('vacuum into ?').run(copy);
  source.close();
  await using bare = await startChild<{ url: string }>('raw-steps.ts', copy);

  const grouped = { label: 'raw `node:http` that commits the same rows in groups', url: bare.message.url, least: 0.6 };
  return await reportAgainst({ shot, database, label: 'SQLite' }, [echo, grouped], conditions);
}

async function onPostgres(echo: Rival, conditions: Conditions): Promise<Finding[]> {
  const postgres = await startPostgres();
  try {
    await using folder = await temporaryFolder();
    const database_url = await freshPostgres(postgres.url);
    await using errand = await startErrand({ data: folder.path, database_url });
    await using database = postgresDatabase(database_url);
    const { shot } = await openReporters(errand, { runs: RUNS, at_once: REPORTERS, steps: STEPS });
    return await reportAgainst({ shot, database, label: 'PostgreSQL' }, [echo], conditions);
  } finally {
    await postgres.stop();
  }
}

/** Measures reporting a step of a run. */
export const steps: Suite = async (conditions): Promise<Section> => {
  await using raw = await startChild<{ url: string }>('raw-echo.ts');
  const echo = { label: 'raw `node:http` that echoes', url: raw.message.url };
  return {
    title: 'Reporting: `POST /api/executions/{execution_id}/steps`',
    how: `${REPORTERS} reporters at once, each on a connection of its own, ${STEPS} steps a run: token, step, event and audit entry, on disk before the answer. One raw server parses the same body and writes it back; the other writes the same three rows with the same pragmas, many in one commit, and checks nothing.`,
    findings: [...(await onSqlite(echo, conditions)), ...(await onPostgres(echo, conditions))],
  };
};
