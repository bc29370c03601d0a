import { Socket } from 'node:net';
import type pg from 'pg';
import { storeAway, storeClosed } from '#stores/store-away';
import { createBackoff } from './backoff.ts';
import { createSilence, type Silence } from './silence.ts';

const BIGINT = 20;
const CONNECT_WITHIN_MS = 3_000;
const MAX_SILENCE_MS = 5_000;
// The server ends a wait for a lock, and any statement, before the silence ends the connection: silence then means that
// nobody is there.
const LOCK_PART = 0.8;
const STATEMENT_PART = 0.9;
// Longer than anything here takes: a process that was stopped in a transaction must not hold its locks for good.
const IDLE_IN_TRANSACTION_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 5_000;
const END_WITHIN_MS = 1_000;

export type Driver = typeof pg;

export interface Question {
  /** Questions with a name are prepared once for each connection. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** The answer may take any time. */
  readonly patient?: boolean;
}

/** A way to the server that is made when it is needed, and made again after it was lost. */
export interface Link {
  readonly ask: <Row extends object>(question: Question) => Promise<readonly Row[]>;
  readonly close: () => Promise<void>;
}

/** The driver is the user's to install; without it the words say so. */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw new Error('The Postgres store needs the package pg. Run: npm install pg', { cause: error });
  }
}

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

export interface Client {
  readonly client: pg.Client;
  readonly cork: () => void;
  readonly silence: Silence;
  /** Takes leave of the server, or hangs up where nobody answers. */
  readonly end: () => Promise<void>;
}

/** A connected client. Questions go out at once, one behind the other; answers come back in the same order. */
export async function connect(driver: Driver, way: Way, onLost: () => void): Promise<Client> {
  const { url, max_silence_ms = MAX_SILENCE_MS } = way;
  const socket = new Socket();
  const client = new driver.Client({
    connectionString: url,
    stream: () => socket,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        // The driver's own types know the parser of text only.
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
    // A plan that was made when the table was small must not walk all of it once it is large.
    options: '-c enable_seqscan=off',
  });
  // Without a listener, a server that goes away would end the process.
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

export function createLink(driver: Driver, way: Way): Link {
  const backoff = createBackoff();
  let current: Promise<Client> | undefined;
  let closed = false;

  function open(): Promise<Client> {
    const forget = (): void => {
      if (current === opening) current = undefined;
    };
    const opening: Promise<Client> = connect(driver, way, forget);
    opening.then(backoff.reset, () => {
      forget();
      backoff.grow();
    });
    return opening;
  }

  const get = (): Promise<Client> => {
    if (closed) throw storeClosed();
    // A server that is away is not asked by every call again.
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
        // The caller knows its rows: they are what the text of the question selects.
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

/** Spreads questions over several ways, so that one long answer does not hold up all others. */
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
