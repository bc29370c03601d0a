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
  using file = new DatabaseSync(join(folder.path, 'errand.db'));
  const copy = (name: string): string => {
    const path = join(folder.path, name);
    file.prepare('vacuum into ?').run(path);
    return path;
  };
  await using bare = await startChild('bare-sqlite.ts', copy('bare.db'));
  await using raw = await startChild<{ url: string }>('raw-add-sqlite.ts', copy('raw.db'));
  const bytes = async (): Promise<number> => {
    file.exec('pragma wal_checkpoint(truncate)');
    return Number(file.prepare('select page_count * page_size as n from pragma_page_count, pragma_page_size').get()?.n);
  };

  const findings = await addAgainst(
    errand,
    { bare: { label: 'bare `node:sqlite`', least: 2, child: bare }, raw: { least: 0.7, child: raw }, database, bytes },
    conditions,
  );
  return {
    title: 'Writing on SQLite: `add_task`',
    how: `Over HTTP with ${CONNECTIONS} connections: token, idempotency key, work item, audit entry and messages, on disk before the answer. The raw server writes the same rows into the same tables and indexes, many in one commit, and checks nothing; rows alone are the same rows in process, one call in a commit. The bare driver inserts one work item per commit, in process. All have the same pragmas on the same disk. Disk is the growth of the file after a checkpoint, for each call.`,
    findings,
  };
};
