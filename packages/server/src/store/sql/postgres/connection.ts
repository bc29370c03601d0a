import { Socket } from 'node:net';
import { createSilence } from '@errand/tasks/postgres/silence';
import pg from 'pg';
import { databaseAway } from '#store/sql/database-error';
import type { Session } from '#store/sql/session';
import type { SqlValue, Statement } from '#store/sql/statement';
import { fromPostgres } from './postgres-errors.ts';

const BIGINT = 20;
const CONNECT_WITHIN_MS = 3000;
const MAX_SILENCE_MS = 5000;
// The server ends a wait for a lock, and any statement, before the silence ends the connection: silence then means that
// nobody is there.
const LOCK_PART = 0.8;
const STATEMENT_PART = 0.9;
// An idle connection is tried every few seconds, so that a dead one is found before a call needs it.
const KEEP_ALIVE_AFTER_MS = 5000;
const END_WITHIN_MS = 1000;
// Longer than any group runs: a process that was stopped in one must not hold the lock of all others for good.
const IDLE_IN_TRANSACTION_MS = 5000;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

export interface Answer {
  readonly command: string;
  readonly changes: number;
  readonly rows: readonly unknown[];
}

/** A connected server. Questions go out at once, one behind the other; answers come back in the same order. */
export interface Connection extends Session {
  readonly ask: (text: string) => Promise<Answer>;
  readonly query: <Params extends object>(statement: Statement<Params, unknown>, params: Params) => Promise<Answer>;
  /** Runs statements that may take any time: no call waits for them. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>;
  readonly end: () => Promise<void>;
}

/** A connection that is made when it is needed, and made again after it was lost. */
export interface Link {
  readonly get: () => Promise<Connection>;
  /** Gives the connection up: the next `get` makes another. */
  readonly drop: (connection: Connection) => void;
  readonly close: () => Promise<void>;
}

// The type of the driver lists an overload for each format; what is passed on is what came.
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** Sends what one turn of the event loop asks in one piece: each piece is a system call here and a wake-up there. */
function createCork(socket: Socket): () => void {
  let corked = false;
  return () => {
    if (corked) return;
    corked = true;
    socket.cork();
    process.nextTick(() => {
      corked = false;
      socket.uncork();
    });
  };
}

/** Where the server is, and how long a connection may stay silent while questions are out. */
export interface Way {
  readonly url: string;
  readonly max_silence_ms?: number | undefined;
}

async function connect({ url, max_silence_ms = MAX_SILENCE_MS }: Way, onLost: () => void): Promise<Connection> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    stream: () => socket,
    types,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: Math.round(max_silence_ms * STATEMENT_PART),
    lock_timeout: Math.round(max_silence_ms * LOCK_PART),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: 'errand',
  });
  // Without a listener, a server that goes away would end the process.
  client.on('error', onLost);
  client.on('end', onLost);
  const cork = createCork(socket);
  const silence = createSilence(max_silence_ms, () =>
    socket.destroy(new Error(`The server did not answer within ${max_silence_ms} ms.`)),
  );
  const socketClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()));

  const send = async (question: { name?: string; text: string; values?: SqlValue[] }): Promise<Answer> => {
    cork();
    silence.asked();
    try {
      const { command, rowCount, rows } = await client.query(question);
      return { command, changes: rowCount ?? 0, rows };
    } catch (error) {
      throw fromPostgres(error);
    } finally {
      silence.answered();
    }
  };
  // A server that is not there does not take leave either.
  const end = async (): Promise<void> => {
    silence.stop();
    const timer = setTimeout(() => socket.destroy(), END_WITHIN_MS);
    client.end().catch(() => {});
    await socketClosed;
    clearTimeout(timer);
  };
  const query: Connection['query'] = (statement, params) => {
    const { name, text, bind } = statement.compile('postgres');
    return send({ name, text, values: bind(params) });
  };

  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => {});
    throw databaseAway(error);
  }
  return {
    ask: (text) => send({ text }),
    query,
    // The driver has no types for rows; the statement knows what its query selects.
    get: async (statement, params) => ((await query(statement, params)).rows[0] ?? null) as never,
    all: async (statement, params) => (await query(statement, params)).rows as never,
    patiently: async (work) => {
      const resume = silence.suspend();
      return await work().finally(resume);
    },
    end,
  };
}

export function createLink(way: Way): Link {
  let current: Promise<Connection> | undefined;
  let pause = 0;
  let paused_until = 0;

  const forget = (lost: Promise<Connection>): void => {
    if (current === lost) current = undefined;
  };

  function open(): Promise<Connection> {
    const opening = connect(way, () => forget(opening));
    opening.then(
      () => {
        pause = 0;
      },
      () => {
        forget(opening);
        pause = Math.min(Math.max(pause * 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
        paused_until = performance.now() + pause * (0.5 + Math.random() / 2);
      },
    );
    return opening;
  }

  return {
    get: async () => {
      if (current === undefined) {
        const wait = paused_until - performance.now();
        if (wait > 0) throw databaseAway(new Error('The last attempt to connect failed.'), Math.ceil(wait));
        current = open();
      }
      return current;
    },
    drop: (connection) => {
      const dropped = current;
      void dropped?.then((known) => known === connection && forget(dropped));
      connection.end().catch(() => {});
    },
    close: async () => {
      const connection = await current?.catch(() => undefined);
      current = undefined;
      await connection?.end();
    },
  };
}
