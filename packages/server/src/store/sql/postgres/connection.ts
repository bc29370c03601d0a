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
// The server's own timeouts for locks and statements are shorter than the silence limit: silence then means that
// the server is gone.
const LOCK_PART = 0.8;
const STATEMENT_PART = 0.9;
// An idle connection is tried every few seconds, so that a dead one is found before a call needs it.
const KEEP_ALIVE_AFTER_MS = 5000;
const END_WITHIN_MS = 1000;
// Longer than any group runs. A process that was suspended inside one must not hold the lock for ever.
const IDLE_IN_TRANSACTION_MS = 5000;
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;

export interface Answer {
  readonly command: string;
  readonly changes: number;
  readonly rows: readonly unknown[];
}

/** A connection. Queries are sent at once without waiting for each other; answers come back in the same order. */
export interface Connection extends Session {
  readonly ask: (text: string) => Promise<Answer>;
  readonly query: <Params extends object>(statement: Statement<Params, unknown>, params: Params) => Promise<Answer>;
  /** Runs statements that may take any time: no call waits for them. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>;
  readonly end: () => Promise<void>;
}

/** A connection that is opened on demand, and reopened after it was lost. */
export interface Link {
  readonly get: () => Promise<Connection>;
  /** Closes the connection. The next `get` opens another. */
  readonly drop: (connection: Connection) => void;
  readonly close: () => Promise<void>;
}

// The type of the driver lists an overload for each format; what is passed on is what came.
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** Sends all queries of one turn of the event loop together: each send is a system call here and a wake-up on the server. */
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

/** The address of the server, and how long a connection may be silent while queries are open. */
export interface ConnectionTarget {
  readonly url: string;
  readonly max_silence_ms?: number | undefined;
}

async function connect(
  { url, max_silence_ms = MAX_SILENCE_MS }: ConnectionTarget,
  onLost: () => void,
): Promise<Connection> {
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
  // Without a listener, the loss of the server would end the process.
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
  // A dead server does not answer the goodbye either.
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
    // The driver has no row types. The statement's own type describes what its query selects.
    get: async (statement, params) => ((await query(statement, params)).rows[0] ?? null) as never,
    all: async (statement, params) => (await query(statement, params)).rows as never,
    patiently: async (work) => {
      const resume = silence.suspend();
      return await work().finally(resume);
    },
    end,
  };
}

export function createLink(target: ConnectionTarget): Link {
  let current: Promise<Connection> | undefined;
  let pause = 0;
  let paused_until = 0;

  const forget = (lost: Promise<Connection>): void => {
    if (current === lost) current = undefined;
  };

  function open(): Promise<Connection> {
    const opening = connect(target, () => forget(opening));
    opening.then(
      () => {
        pause = 0;
      },
      () => {
        forget(opening);
        pause = Math.min(Math.max(pause * 2, MIN_PAUSE_MS), MAX_PAUSE_MS);
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
