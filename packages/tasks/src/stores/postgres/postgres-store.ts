import { randomUUID } from 'node:crypto';
import type { Inserted, Replaced, TaskStore } from '#store';
import { createStoreClock } from '#stores/clock';
import { byAge, countable, encodeText, fromRow, isClaimable, type TaskRow, toRow } from '#stores/row';
import { createSignals } from '#stores/signals';
import { createTurn } from '#stores/turn';
import { createLink, createLinks, type Driver, loadDriver } from './connection.ts';
import { listen } from './listen.ts';
import { prepareSchema } from './schema.ts';
import { createStatements } from './statements.ts';
import { createWriteBatch, type PostgresWork } from './write-batch.ts';

const MAX_RECORD_BYTES = 16 * 1024 * 1024;

export interface PostgresStoreOptions {
  readonly url: string;
  /** The schema of the table; created when it is missing. */
  readonly schema?: string;
  /** Connections for queries and writes, at least two. One more connection listens. */
  readonly pool_size?: number;
  /** A connection counts as lost after this time without an answer to an open query. The default is 5 seconds. */
  readonly max_silence_ms?: number;
}

function createPool(driver: Driver, { url, max_silence_ms, pool_size = 4 }: PostgresStoreOptions) {
  const writers = Math.max(1, Math.floor(pool_size / 2));
  const readers = Math.max(1, pool_size - writers);
  const make = () => createLink(driver, { url, max_silence_ms });
  return { writers, writing: createLinks(writers, make), reading: createLinks(readers, make) };
}

/** Opens a store in PostgreSQL, which any number of machines can share. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<TaskStore> {
  const { url, max_silence_ms, schema = 'errand_tasks' } = options;
  const driver = await loadDriver();
  const { writers, writing, reading } = createPool(driver, options);
  const sql = createStatements(schema);
  const sender = randomUUID();
  const signals = createSignals();

  const readClock = async (): Promise<number> => {
    const [row] = await reading.ask<{ readonly now: number }>(sql.clock);
    return row?.now ?? Date.now();
  };
  const closeLinks = () => Promise.all([writing.close(), reading.close()]);
  const start = async () => {
    await prepareSchema(writing, schema);
    const clock = await createStoreClock(readClock);
    try {
      return {
        clock,
        listener: await listen({ driver, target: { url, max_silence_ms }, schema, sender, tell: signals.tell }),
      };
    } catch (error) {
      clock.close();
      throw error;
    }
  };
  const { clock, listener } = await start().catch(async (error: unknown) => {
    await closeLinks();
    throw error;
  });

  const run = createWriteBatch({ link: writing, schema, sender, now: clock.now });
  const turn = createTurn<PostgresWork>({ run, lanes: writers });
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    await turn.close();
    signals.clear();
    clock.close();
    await Promise.all([listener.close(), closeLinks()]);
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  const tell = (task_id: string, row: TaskRow): void => signals.tell({ task_id, claimable: isClaimable(row) });

  return {
    name: 'postgres',
    max_record_bytes: MAX_RECORD_BYTES,
    now: clock.now,
    subscribe: signals.subscribe,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,

    insert: async (record, quota) => {
      const row = toRow(record, MAX_RECORD_BYTES);
      const inserted = await new Promise<Inserted>((resolve, reject) => {
        turn.add({ kind: 'insert', row, quota: countable(quota), bytes: row.body.length, resolve, reject });
      });
      if (inserted === 'inserted') tell(record.task_id, row);
      return inserted;
    },

    get: async (owner_id, task_id) => {
      const values = [encodeText(task_id), encodeText(owner_id), clock.now()];
      const [row] = await reading.ask<TaskRow>({ ...sql.get, values });
      return row === undefined ? null : fromRow(row);
    },

    replace: async (record, { quiet = false } = {}) => {
      const row = toRow(record, MAX_RECORD_BYTES);
      const replaced = await new Promise<Replaced>((resolve, reject) => {
        turn.add({ kind: 'replace', row, quiet, bytes: row.body.length, resolve, reject });
      });
      if (replaced.ok && !quiet) tell(record.task_id, row);
      return replaced;
    },

    list: async (owner_id, after, limit) => {
      const owner = encodeText(owner_id);
      const question =
        after === null
          ? { ...sql.newest, values: [owner, limit, clock.now()] }
          : { ...sql.newestAfter, values: [owner, limit, after.created_at, encodeText(after.task_id), clock.now()] };
      return (await reading.ask<TaskRow>(question)).map(fromRow);
    },

    claim: async ({ worker_id, tools, lease_ms, limit }) => {
      const names = [...new Set(tools)].map(encodeText);
      const values = [names, limit, encodeText(worker_id), lease_ms, clock.now()];
      const rows = await writing.ask<TaskRow>({ ...sql.claim, values });
      return [...rows].sort(byAge).map(fromRow);
    },

    sweep: async (limit) => {
      const [row] = await writing.ask<{ readonly removed: number }>({
        ...sql.sweep,
        values: [countable(limit), clock.now()],
      });
      return row?.removed ?? 0;
    },

    trim: async (owner_id, most) => {
      const values = [encodeText(owner_id), countable(most)];
      const [row] = await writing.ask<{ readonly removed: number }>({ ...sql.trim, values });
      return row?.removed ?? 0;
    },
  };
}
