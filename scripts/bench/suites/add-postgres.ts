import pg from 'pg';
import { freshPostgres, postgresDatabase } from '../../../test/e2e/database.ts';
import { temporaryFolder } from '../../../test/e2e/program.ts';
import { startPostgres } from '../../postgres.ts';
import { startChild } from '../child.ts';
import { startErrand } from '../errand.ts';
import type { Section } from '../report.ts';
import type { Suite } from '../suite.ts';
import { addAgainst, CONNECTIONS } from './add.ts';

/** Every transaction changes the head of the audit trail: more connections would only wait for each other. */
const POOL = 4;

/** Makes a copy of the database. No other client may be connected to the original. */
async function copyOf(url: string, suffix: string): Promise<string> {
  const [from, to] = [new URL(url), new URL(url)];
  const name = from.pathname.slice(1);
  to.pathname = `/${name}_${suffix}`;
  from.pathname = '/postgres';
  const client = new pg.Client({ connectionString: from.href });
  await client.connect();
  await client.query(`create database ${name}_${suffix} template ${name}`);
  await client.end();
  return to.href;
}

/** Measures a durable write through all of Errand on PostgreSQL. */
export const addPostgres: Suite = async (conditions): Promise<Section> => {
  const postgres = await startPostgres();
  try {
    await using folder = await temporaryFolder();
    const database_url = await freshPostgres(postgres.url);
    const place = { data: folder.path, database_url };
    await (await startErrand(place))[Symbol.asyncDispose]();
    await using bare = await startChild(
      'bare-postgres.ts',
      await copyOf(database_url, 'bare'),
      String(CONNECTIONS),
      String(POOL),
    );
    await using raw = await startChild<{ url: string }>('raw-add-postgres.ts', await copyOf(database_url, 'raw'));
    await using errand = await startErrand(place);
    await using database = postgresDatabase(database_url);
    const bytes = async (): Promise<number> =>
      Number((await database.rows('select pg_database_size(current_database()) as n'))[0]?.n);

    const findings = await addAgainst(
      errand,
      {
        bare: { label: '`pg` with most of these rows, a transaction for each task', least: 0.7, child: bare },
        raw: { least: 0.6, child: raw },
        database,
        bytes,
      },
      conditions,
    );
    return {
      title: 'Writing on PostgreSQL: `add_task`',
      how: `The same call with ${CONNECTIONS} connections on a PostgreSQL beside it, with \`fsync\` and \`synchronous_commit\` on. The raw server writes the same rows with one statement for each table, all that wait in one commit, and checks nothing; rows alone are a commit for each task, in process. The driver by itself writes task, key, messages and audit entry, without event and search entry, one transaction for each task, for ${CONNECTIONS} callers at once over a pool of ${POOL} connections, with which it is fastest. Disk is the growth of the database, for each call.`,
      findings,
    };
  } finally {
    await postgres.stop();
  }
};
