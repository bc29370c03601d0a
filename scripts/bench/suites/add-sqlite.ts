import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteDatabase } from '../../../test/e2e/database.ts';
import { temporaryFolder } from '../../../test/e2e/program.ts';
import { startChild } from '../child.ts';
import { startErrand } from '../errand.ts';
import type { Section } from '../report.ts';
import type { Suite } from '../suite.ts';
import { addAgainst, CONNECTIONS } from './add.ts';

/** Measures a durable write through all of Errand on SQLite. */
export const addSqlite: Suite = async (conditions): Promise<Section> => {
  await using folder = await temporaryFolder();
  await using errand = await startErrand({ data: folder.path });
  await using database = sqliteDatabase(folder.path);
  const copy = join(folder.path, 'bare.db');
  const source = new DatabaseSync(join(folder.path, 'errand.db'));
  source.prepare('vacuum into ?').run(copy);
  source.close();
  await using bare = await startChild('bare-sqlite.ts', copy);

  const findings = await addAgainst(errand, { label: 'bare `node:sqlite`', least: 1, bare, database }, conditions);
  return {
    title: 'Writing on SQLite: `add_task`',
    how: `Over HTTP with ${CONNECTIONS} connections: token, idempotency key, work item, audit entry and messages, on disk before the answer. The bare driver inserts one work item per commit, in process, with the same pragmas on the same disk.`,
    findings,
  };
};
