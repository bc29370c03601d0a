import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { WRITER_LOCK } from '../../../packages/server/src/store/sql/postgres/postgres-writer.ts';
import type { Place } from '../program.ts';

/** Ends the lease of a task, as time would. Resolves with whether the task was held. */
export type EndLease = (task_id: string) => Promise<boolean>;

const held = (now: string, id: string): string =>
  `update claims set lease_until = 1 where work_item_id = ${id} and principal_id is not null and lease_until > ${now}`;

/** In turn with all other writers: one that had read the claim before would write it again. */
export function openLeases({ data, database_url }: Place): AsyncDisposable & { readonly end: EndLease } {
  if (database_url === undefined) {
    const file = new DatabaseSync(join(data, 'errand.db'), { timeout: 20_000 });
    return {
      end: async (task_id) => {
        file.exec('begin immediate');
        const { changes } = file.prepare(held('unixepoch() * 1000', '?')).run(task_id);
        file.exec('commit');
        return changes > 0;
      },
      [Symbol.asyncDispose]: async () => file.close(),
    };
  }
  const pool = new pg.Pool({ connectionString: database_url, max: 1 });
  return {
    end: async (task_id) => {
      const client = await pool.connect();
      await client.query('begin');
      await client.query(`select pg_advisory_xact_lock(${WRITER_LOCK})`);
      const { rowCount } = await client.query(held('extract(epoch from clock_timestamp()) * 1000', '$1'), [task_id]);
      await client.query('commit');
      client.release();
      return (rowCount ?? 0) > 0;
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
