import { Socket } from 'node:net';
import type pg from 'pg';
import { storeAway, storeClosed } from '#stores/store-away';
import { createBackoff } from './backoff.ts';
import { createSilence, type Silence } from './silence.ts';

const BIGINT = 20;
const CONNECT_WITHIN_MS = 3_000;
const MAX_SILENCE_MS = 5_000;
// The server's own timeouts for locks and statements are shorter than the silence limit: silence then means that
// the server is gone.
const LOCK_PART = 0.8;
const STATEMENT_PART = 0.9;
// Longer than any transaction here. Without it, a process paused in a transaction would hold its locks for ever.
const IDLE_IN_TRANSACTION_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 5_000;
const END_WITHIN_MS = 1_000;

export type Driver = typeof pg;

export interface Question {
  /** Queries with a name are prepared once per connection. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** The answer may take any time: silence does not count. */
  readonly patient?: boolean;
}

/** A connection to the server that opens when it is needed, and opens again after it was lost. */
export interface Link {
  readonly ask: <Row extends object>(question: Question) => Promise<readonly Row[]>;
  readonly close: () => Promise<void>;
}

/** Loads the driver. It is an optional dependency: when it is missing, the error says how to install it. */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw new Error('The Postgres store needs the package pg. Run: npm install pg', { cause: error });
  }
}

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

export interface Client {
  readonly client: pg.Client;
  readonly cork: () => void;
  readonly silence: Silence;
  /** Closes the connection in order, or cuts it when the server does not answer. */
  readonly end: () => Promise<void>;
}

/** Connects a client. Queries are sent at once, without waiting for earlier answers; answers come in the same order. */
export async function connect(driver: Driver, target: ConnectionTarget, onLost: () => void): Promise<Client> {
  const { url, max_silence_ms = MAX_SILENCE_MS } = target;
  const socket = new Socket();
  const client = new driver.Client({
    connectionString: url,
    stream: () => socket,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        // The cast: the driver's types know only the text format.
        oid === BIGINT ? Number : driver.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: Math.round(max_silence_ms * STATEMENT_PART),
    lock_timeout: Math.round(max_silence_ms * LOCK_PART),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: 'errand-tasks',
    // A query plan from when the table was small must not scan the whole table once it is large.
    options: '-c enable_seqscan=off',
  });
  // Without a listener, the loss of the server would end the process.
  client.on('error', onLost);
  client.on('end', onLost);
  const silence = createSilence(max_silence_ms, () => {
    onLost();
    socket.destroy(new Error(`The server did not answer within ${max_silence_ms} ms.`));
  });
  const socketClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const end = async (): Promise<void> => {
    silence.stop();
    const timer = setTimeout(() => socket.destroy(), END_WITHIN_MS);
    client.end().catch(() => {});
    await socketClosed;
    clearTimeout(timer);
  };
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => {});
    throw storeAway(error);
  }
  return { client, cork: createCork(socket), silence, end };
}

export function createLink(driver: Driver, target: ConnectionTarget): Link {
  const backoff = createBackoff();
  let current: Promise<Client> | undefined;
  let closed = false;

  function open(): Promise<Client> {
    const forget = (): void => {
      if (current === opening) current = undefined;
    };
    const opening: Promise<Client> = connect(driver, target, forget);
    opening.then(backoff.reset, () => {
      forget();
      backoff.grow();
    });
    return opening;
  }

  const get = (): Promise<Client> => {
    if (closed) throw storeClosed();
    // While the server is unavailable, not every call tries to connect again.
    if (current === undefined && backoff.left() > 0) throw storeAway(new Error('The last attempt to connect failed.'));
    current ??= open();
    return current;
  };

  return {
    ask: async ({ name, text, values, patient = false }) => {
      const { client, cork, silence } = await get();
      cork();
      const resume = patient ? silence.suspend() : () => {};
      silence.asked();
      try {
        // The cast: the caller knows the columns that its query selects.
        const { rows } = await client.query({ text, ...(name && { name }), ...(values && { values: [...values] }) });
        return rows;
      } catch (error) {
        throw storeAway(error);
      } finally {
        silence.answered();
        resume();
      }
    },
    close: async () => {
      closed = true;
      const open = await current?.catch(() => undefined);
      await open?.end();
    },
  };
}

/** Spreads queries over several connections, so that one slow answer does not delay all others. */
export function createLinks(count: number, make: () => Link): Link {
  const links = Array.from({ length: count }, make);
  let turn = 0;
  return {
    ask: async (question) => {
      turn = (turn + 1) % links.length;
      const link = links[turn];
      if (link === undefined) throw storeClosed();
      return link.ask(question);
    },
    close: async () => {
      await Promise.all(links.map((link) => link.close()));
    },
  };
}
