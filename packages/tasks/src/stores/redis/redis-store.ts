import { randomUUID } from 'node:crypto';
import { emitWarning } from 'node:process';
import { TaskError } from '#errors';
import type { Inserted, Replaced, Signal, TaskStore } from '#store';
import { createStoreClock } from '#stores/clock';
import { countable, encodeText, fromRow, isOver, toRow } from '#stores/row';
import { createSignals } from '#stores/signals';
import { storeClosed } from '#stores/store-away';
import { createTurn } from '#stores/turn';
import { connectRedis, type RedisConnection, type Subscription } from './connection.ts';
import { durabilityGaps } from './durability.ts';
import { rowOfReply, rowsOfReply } from './reply.ts';
import { CLAIM, LIST, type Script, SWEEP, TRIM } from './scripts.ts';
import { createWriteBatch, type RedisWork, signalOf } from './write-batch.ts';

const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** Parallel batches: while one is being made durable, the next is gathered and sent. */
const LANES = 4;

export interface RedisStoreOptions {
  readonly url: string;
  /** The prefix of every key, so that one server can hold several stores. */
  readonly prefix?: string;
  /** Called with the risks of the server's settings. The default is a warning of the process. */
  readonly report?: (warning: string) => void;
}

/** Opens a store in Redis. Every write is one script, so that it is atomic. */
export async function openRedisStore(options: RedisStoreOptions): Promise<TaskStore> {
  const { url, prefix = 'errand:tasks', report = emitWarning } = options;
  if (!/^[\w:.-]+$/.test(prefix)) throw new Error('The prefix may have letters, digits and _ : . - only.');
  // In braces: a cluster then keeps all keys in one slot, which scripts need.
  const base = `{${prefix}}`;
  const store_id = randomUUID();
  const signals = createSignals();
  let closed = false;

  const opened: RedisConnection[] = [];
  const disconnect = async (): Promise<void> => {
    await Promise.all(opened.map((connection) => connection.close()));
  };

  async function connect(subscription?: Subscription): Promise<RedisConnection> {
    const connection = await connectRedis(url, subscription);
    opened.push(connection);
    return connection;
  }

  async function start() {
    const connection = await connect();
    await connect({
      channel: `${base}:signals`,
      onMessage: tellOthers,
      onReturn: () => signals.tell({ task_id: null, claimable: true }),
    });
    for (const gap of await durabilityGaps(connection)) report(gap);
    return { connection, clock: await createStoreClock(() => readTime(connection)) };
  }

  const { connection, clock } = await start().catch(async (error: unknown) => {
    await disconnect();
    throw error;
  });

  const send = (args: readonly string[]): Promise<unknown> =>
    closed ? Promise.reject(storeClosed()) : connection.send(args);

  async function run({ text, sha1 }: Script, args: readonly string[]): Promise<unknown> {
    try {
      return await send(['EVALSHA', sha1, '1', base, ...args]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return send(['EVAL', text, '1', base, ...args]);
    }
  }

  // This store's own messages arrive here too. Skip them: its listeners were called already.
  function tellOthers(message: string): void {
    if (message.startsWith(store_id)) return;
    // The cast: only `createWriteBatch` sends messages.
    for (const signal of JSON.parse(message.slice(store_id.length)) as readonly Signal[]) signals.tell(signal);
  }

  const turn = createTurn<RedisWork>({ run: createWriteBatch(run, store_id), lanes: LANES });

  const close = async (): Promise<void> => {
    if (closed) return;
    await turn.close();
    closed = true;
    clock.close();
    signals.clear();
    await disconnect();
  };

  return {
    name: 'redis',
    max_record_bytes: MAX_RECORD_BYTES,
    now: clock.now,
    subscribe: signals.subscribe,
    close,
    [Symbol.asyncDispose]: close,

    insert: async (record, quota) => {
      const row = toRow(record, MAX_RECORD_BYTES);
      const signal = signalOf(record.task_id, row);
      const inserted = await new Promise<Inserted>((resolve, reject) => {
        turn.add({ kind: 'insert', row, signal, quota: countable(quota), bytes: row.body.length, resolve, reject });
      });
      if (inserted === 'inserted') signals.tell(signal);
      return inserted;
    },

    get: async (owner_id, task_id) => {
      const reply = await send(['HMGET', `${base}:task:${encodeText(task_id)}`, 'head', 'body']);
      const row = rowOfReply(reply);
      if (row === null || row.owner_id !== encodeText(owner_id) || isOver(row, clock.now())) return null;
      return fromRow(row);
    },

    replace: async (record, { quiet = false } = {}) => {
      const row = toRow(record, MAX_RECORD_BYTES);
      const signal = quiet ? null : signalOf(record.task_id, row);
      const replaced = await new Promise<Replaced>((resolve, reject) => {
        turn.add({ kind: 'replace', row, signal, bytes: row.body.length, resolve, reject });
      });
      if (replaced.ok && signal !== null) signals.tell(signal);
      return replaced;
    },

    list: async (owner_id, after, limit) => {
      const place = after === null ? ['', ''] : [String(after.created_at), encodeText(after.task_id)];
      const rows = rowsOfReply(await run(LIST, [encodeText(owner_id), ...place, String(limit)]));
      return rows.map(fromRow);
    },

    claim: async ({ worker_id, tools, lease_ms, limit }) => {
      const args = [encodeText(worker_id), String(lease_ms), String(limit), ...tools.map(encodeText)];
      return rowsOfReply(await run(CLAIM, args)).map(fromRow);
    },

    sweep: async (limit) => Number(await run(SWEEP, [String(limit)])),

    trim: async (owner_id, most) => Number(await run(TRIM, [encodeText(owner_id), String(countable(most))])),
  };
}

/** True when the server does not know the script: after a restart, or when its script cache was emptied. */
const isUnknownScript = (error: unknown): boolean =>
  error instanceof TaskError && error.cause instanceof Error && error.cause.message.startsWith('NOSCRIPT');

async function readTime({ send }: RedisConnection): Promise<number> {
  const reply = await send(['TIME']);
  const [seconds, microseconds] = Array.isArray(reply) ? reply.map(Number) : [];
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}
