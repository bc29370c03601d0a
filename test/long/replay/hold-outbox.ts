import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const LOOK_MS = 5;
const WAIT_MS = 1_000;

/** What writers of lanes have left after their commits and nobody has moved yet. On SQLite there is no such thing. */
export interface Outbox extends AsyncDisposable {
  readonly count: () => Promise<number>;
  /**
   * Keeps servers from moving rows while `meanwhile` runs, which begins when this many rows wait, or after a second.
   */
  readonly hold: (rows: number, meanwhile: () => Promise<void>) => Promise<void>;
}

export function openOutbox(database_url: string | undefined): Outbox {
  if (database_url === undefined) {
    return { count: async () => 0, hold: (_, meanwhile) => meanwhile(), [Symbol.asyncDispose]: async () => {} };
  }
  const pool = new pg.Pool({ connectionString: database_url, max: 2 });
  const count = async (): Promise<number> => Number((await pool.query('select count(*) as n from outbox')).rows[0].n);
  return {
    count,
    hold: async (rows, meanwhile) => {
      const client = await pool.connect();
      await client.query('begin');
      // Every server that moves rows takes this lock first.
      await client.query('select seq from event_head for update');
      const end = performance.now() + WAIT_MS;
      while ((await count()) < rows && performance.now() < end) await sleep(LOOK_MS);
      await meanwhile();
      await client.query('rollback');
      client.release();
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
