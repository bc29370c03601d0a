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
async function copyOf(url: string): Promise<string> {
  const [from, to] = [new URL(url), new URL(url)];
  const name = from.pathname.slice(1);
  to.pathname = `/${name}_bare`;
  from.pathname = '/postgres';
  const client = new pg.Client({ connectionString: from.href });
  await client.connect();
  await client.query(`create database ${name}_bare template ${name}`);
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
      await copyOf(database_url),
      String(CONNECTIONS),
      String(POOL),
    );
    await using errand = await startErrand(place);
    await using database = postgresDatabase(database_url);

    const findings = await addAgainst(
      errand,
      { label: '`pg` with the same writes in one transaction', least: 0.7, bare, database },
      conditions,
    );
    return {
      title: 'Writing on PostgreSQL: `add_task`',
      how: `The same call with ${CONNECTIONS} connections on a PostgreSQL beside it, with \`fsync\` and \`synchronous_commit\` on. The driver writes the same rows, one transaction for each task, for ${CONNECTIONS} callers at once over a pool of ${POOL} connections, with which it is fastest.`,
      findings,
    };
  } finally {
    await postgres.stop();
  }
};
