import { NotInLane } from '#domain/lane';
import { outcomeUnknown } from '#store/sql/database-error';
import type { GroupSession } from '#store/sql/session';
import { type Batch, statement } from '#store/sql/statement';
import { createMemory } from '#store/sql/writer-memory';
import type { Connection, Link } from './connection.ts';
import { isReadOnly } from './postgres-errors.ts';

// A writer without a lane takes it alone, as those of older releases do; writers in lanes share it.
export const WRITER_LOCK = 7_102_381;
// The class of the locks of lanes, beside the one above.
const LANE = 7_102_382;

// Set explicitly: under a stricter default the snapshot would be older than the lock, and miss the commits of others.
export const BEGIN = 'begin isolation level read committed';

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

interface Now {
  readonly now: number;
}

const lockAlone = statement<object, Now>(`select pg_advisory_xact_lock(${WRITER_LOCK}), ${NOW} as now`, 'postgres');

const lockShared = statement<object, Now>(
  `select pg_advisory_xact_lock_shared(${WRITER_LOCK}), ${NOW} as now`,
  'postgres',
);

interface LockedLane extends Now {
  readonly lane: string;
  readonly locked: boolean;
}

const LANES = 'json_array_elements_text(:lanes::json) as named (value)';

const tryLanes = statement<{ readonly lanes: string }, LockedLane>(
  `select value as lane, pg_try_advisory_xact_lock(${LANE}, hashtext(value)) as locked, ${NOW} as now from ${LANES}`,
  'postgres',
);

const waitForLanes = statement<{ readonly lanes: string }, LockedLane>(
  `select value as lane, pg_advisory_xact_lock(${LANE}, hashtext(value)) is not null as locked, ${NOW} as now
  from ${LANES}`,
  'postgres',
);

/** Takes locks, right after the transaction began. Resolves with the store's time. */
type Lock = (connection: Connection) => Promise<number>;

interface Writer {
  readonly session: GroupSession;
  readonly begin: (lock: Lock) => Promise<void>;
}

/** Rows of one batch that wait to be sent. */
interface Gathered extends Pick<Batch<object>, 'many' | 'check'> {
  readonly rows: { readonly row: object; readonly order: string }[];
}

interface Manner {
  /** Called when the connection cannot be used any more. */
  readonly giveUp: () => void;
  /** Called before users, tokens or projects change. */
  readonly onAccess: () => void;
  /** Called when such a change may be committed. */
  readonly onAccessChanged: () => void;
}

function createWriter(connection: Connection, { giveUp, onAccess, onAccessChanged }: Manner): Writer {
  const memory = createMemory();
  const gathered = new Map<object, Gathered>();
  let access_changed = false;
  let now = 0;
  let writes = 0;
  let sent: Promise<unknown>[] = [];
  let failure: unknown;

  const settle = async (): Promise<void> => {
    sendGathered();
    const waiting = sent;
    sent = [];
    await Promise.all(waiting);
    if (failure !== undefined) throw failure;
  };

  // After a failure the server rejects every further statement, of all works of the group. The first error is the reason.
  const reason = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      failure ??= error;
      throw failure;
    });

  const send = (answer: Promise<unknown>): void => {
    sent.push(
      answer.catch((error: unknown) => {
        failure ??= error;
      }),
    );
  };

  // Before any other statement, which may read or refer to these rows.
  function sendGathered(): void {
    if (gathered.size === 0) return;
    const batches = [...gathered.values()];
    gathered.clear();
    for (const { many, check, rows } of batches) {
      const placed = rows.toSorted((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)));
      const asked = connection.query(many, { rows: JSON.stringify(placed.map(({ row }) => row)) });
      send(asked.then(({ changes }) => check?.(changes, rows.length)));
    }
  }

  const query: Connection['query'] = (statement, params) => {
    sendGathered();
    return connection.query(statement, params);
  };

  const session: GroupSession = {
    get now() {
      return now;
    },
    get writes() {
      return writes;
    },
    remember: memory.remember,
    accessChanged: () => {
      onAccess();
      access_changed = true;
      memory.clear();
    },
    gather: async (batch, row) => {
      writes += 1;
      const { many, check, order } = batch;
      const known = gathered.get(batch) ?? { many, check, rows: [] };
      known.rows.push({ row, order: order?.(row) ?? '' });
      gathered.set(batch, known);
    },
    // The driver has no row types. The statement's own type describes what its query selects.
    get: async (statement, params) => ((await reason(query(statement, params))).rows[0] ?? null) as never,
    all: async (statement, params) => (await reason(query(statement, params))).rows as never,
    run: async (statement, params) => {
      writes += 1;
      return (await reason(query(statement, params))).changes;
    },
    returning: async (statement, params) => {
      writes += 1;
      // The driver has no row types. The statement's own type describes what its query returns.
      return ((await reason(query(statement, params))).rows[0] ?? null) as never;
    },
    write: async (statement, params, check) => {
      writes += 1;
      send(query(statement, params).then(({ changes }) => check?.(changes)));
    },
    insertAll: async (insert, rows) => {
      writes += 1;
      send(query(insert.many, { rows: JSON.stringify(rows) }));
    },
    mark: async () => {
      sendGathered();
      send(connection.ask('savepoint work'));
    },
    keep: async () => {
      await settle();
      send(connection.ask('release work'));
    },
    undo: async () => {
      gathered.clear();
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
      } finally {
        // An unconfirmed commit may still have happened.
        if (access_changed) onAccessChanged();
      }
    },
    rollback: async () => {
      // A read-only server is no longer the primary. The next connection finds the new one.
      const isElsewhere = isReadOnly(failure);
      gathered.clear();
      try {
        await settle().catch(() => {});
        await connection.ask('rollback');
        if (isElsewhere) giveUp();
      } catch {
        giveUp();
      }
    },
  };

  const begin = async (lock: Lock): Promise<void> => {
    writes = 0;
    sent = [];
    failure = undefined;
    access_changed = false;
    gathered.clear();
    memory.clear();
    const begun = connection.ask(BEGIN);
    const locked = lock(connection);
    try {
      await begun;
      now = await locked;
    } catch (error) {
      await locked.catch(() => {});
      await session.rollback();
      throw error;
    }
  };

  return { session, begin };
}

function createWriters(link: Link, manner: Omit<Manner, 'giveUp'>) {
  const writers = new WeakMap<Connection, Writer>();

  return async (lock: Lock): Promise<GroupSession> => {
    const connection = await link.get();
    const writer =
      writers.get(connection) ?? createWriter(connection, { ...manner, giveUp: () => link.drop(connection) });
    writers.set(connection, writer);
    await writer.begin(lock);
    return writer.session;
  };
}

const nowOf = async (answer: Promise<Now | null>): Promise<number> => (await answer)?.now ?? 0;

const alone: Lock = (connection) => nowOf(connection.get(lockAlone, {}));
const shared: Lock = (connection) => nowOf(connection.get(lockShared, {}));

/** The connection that writes alone: `begin` waits until no other writer is at work, and reads the database's time. */
export function createPostgresWriter(link: Link, onAccessChanged: () => void): () => Promise<GroupSession> {
  const begin = createWriters(link, { onAccess: () => {}, onAccessChanged });
  return () => begin(alone);
}

/** A connection for what all writers leave behind: it is beside those in lanes, and never beside one without a lane. */
export function createSharedWriter(link: Link): () => Promise<GroupSession> {
  const begin = createWriters(link, { onAccess: refuseAccess, onAccessChanged: () => {} });
  return () => begin(shared);
}

function refuseAccess(): never {
  throw new NotInLane('Users, tokens and projects stand still in a lane.');
}

/** A transaction, and the lanes that it has: another server may hold the others. */
export interface LaneSession {
  readonly session: GroupSession;
  readonly held: ReadonlySet<string>;
}

/** A connection that writes in lanes. `begin` takes those that are free, or waits for all of them. */
export function createLaneWriter(link: Link) {
  const begin = createWriters(link, { onAccess: refuseAccess, onAccessChanged: () => {} });

  return async (lanes: readonly string[], { waits }: { readonly waits: boolean }): Promise<LaneSession> => {
    const held = new Set<string>();
    const lock: Lock = async (connection) => {
      const named = { lanes: JSON.stringify(lanes) };
      const [now, found] = await Promise.all([
        shared(connection),
        connection.all(waits ? waitForLanes : tryLanes, named),
      ]);
      for (const { lane, locked } of found) if (locked) held.add(lane);
      // A lane that was waited for may have been written in after the first lock was taken.
      return Math.max(now, ...found.map((one) => one.now));
    };
    return { session: await begin(lock), held };
  };
}
