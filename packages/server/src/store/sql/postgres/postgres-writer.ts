import { outcomeUnknown } from '#store/sql/database-error';
import type { GroupSession } from '#store/sql/session';
import { statement } from '#store/sql/statement';
import { createMemory } from '#store/sql/writer-memory';
import type { Connection, Link } from './connection.ts';
import { isReadOnly } from './postgres-errors.ts';

// One lock for all writers of all processes: transactions run one after another, as on SQLite.
export const WRITER_LOCK = 7_102_381;

// Set explicitly: under a stricter default the snapshot would be older than the lock, and miss the commits of others.
export const BEGIN = 'begin isolation level read committed';

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const lock = statement<object, { readonly now: number }>(
  `select pg_advisory_xact_lock(${WRITER_LOCK}), ${NOW} as now`,
  'postgres',
);

interface Writer {
  readonly session: GroupSession;
  readonly begin: () => Promise<void>;
}

function createWriter(connection: Connection, giveUp: () => void): Writer {
  const memory = createMemory();
  let now = 0;
  let writes = 0;
  let sent: Promise<unknown>[] = [];
  let failure: unknown;

  const settle = async (): Promise<void> => {
    const waiting = sent;
    sent = [];
    await Promise.all(waiting);
    if (failure !== undefined) throw failure;
  };

  // After a failure the server rejects every further statement. The first error is the reason.
  const reason = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw failure ?? error;
    });

  const send = (answer: Promise<unknown>): void => {
    sent.push(
      answer.catch((error: unknown) => {
        failure ??= error;
      }),
    );
  };

  const session: GroupSession = {
    get now() {
      return now;
    },
    get writes() {
      return writes;
    },
    remember: memory.remember,
    accessChanged: memory.clear,
    get: (statement, params) => reason(connection.get(statement, params)),
    all: (statement, params) => reason(connection.all(statement, params)),
    run: async (statement, params) => {
      writes += 1;
      return (await reason(connection.query(statement, params))).changes;
    },
    returning: async (statement, params) => {
      writes += 1;
      // The driver has no row types. The statement's own type describes what its query returns.
      return ((await reason(connection.query(statement, params))).rows[0] ?? null) as never;
    },
    write: async (statement, params, check) => {
      writes += 1;
      send(connection.query(statement, params).then(({ changes }) => check?.(changes)));
    },
    insertAll: async (insert, rows) => {
      writes += 1;
      send(connection.query(insert.many, { rows: JSON.stringify(rows) }));
    },
    mark: async () => send(connection.ask('savepoint work')),
    keep: async () => {
      await settle();
      send(connection.ask('release work'));
    },
    undo: async () => {
      await settle().catch(() => {});
      failure = undefined;
      memory.clear();
      await connection.ask('rollback to work');
      await connection.ask('release work');
    },
    settle,
    commit: async () => {
      try {
        const { command } = await connection.ask('commit');
        if (command !== 'COMMIT') throw new Error(`The server answered ${command} to a commit.`);
      } catch (error) {
        throw outcomeUnknown(error);
      }
    },
    rollback: async () => {
      // A read-only server is no longer the primary. The next connection finds the new one.
      const isElsewhere = isReadOnly(failure);
      try {
        await settle().catch(() => {});
        await connection.ask('rollback');
        if (isElsewhere) giveUp();
      } catch {
        giveUp();
      }
    },
  };

  const begin = async (): Promise<void> => {
    writes = 0;
    sent = [];
    failure = undefined;
    memory.clear();
    const begun = connection.ask(BEGIN);
    const locked = connection.get(lock, {});
    try {
      await begun;
      now = (await locked)?.now ?? now;
    } catch (error) {
      await locked.catch(() => {});
      await session.rollback();
      throw error;
    }
  };

  return { session, begin };
}

/** The writing connection. `begin` waits for the writers' lock, and reads the database's time with it. */
export function createPostgresWriter(link: Link): () => Promise<GroupSession> {
  const writers = new WeakMap<Connection, Writer>();

  return async () => {
    const connection = await link.get();
    const writer = writers.get(connection) ?? createWriter(connection, () => link.drop(connection));
    writers.set(connection, writer);
    await writer.begin();
    return writer.session;
  };
}
