import { NotInLane } from '#domain/lane';
import { outcomeUnknown } from '#store/sql/database-error';
import type { GroupSession } from '#store/sql/session';
import { type Batch, type Statement, statement } from '#store/sql/statement';
import { createMemory } from '#store/sql/writer-memory';
import type { Answer, Connection, Link } from './connection.ts';
import { isReadOnly, isRefusal } from './postgres-errors.ts';
import { type Ahead, type GroupLookups, nothingAhead, readAhead } from './read-ahead.ts';

// A writer without a lane takes it alone, as those of older releases do; writers in lanes share it.
export const WRITER_LOCK = 7_102_381;
// The class of the locks of lanes, beside the one above.
export const LANE = 7_102_382;

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
  /** Null where none was asked for. */
  readonly lane: string | null;
  readonly locked: boolean | null;
}

const LANES = 'json_array_elements_text(:lanes::json) as named (value)';

/** Shares the lock of all writers, then takes those of lanes. A left join, because the shared lock is needed without lanes too. */
const lockLanes = (locked: string): Statement<{ readonly lanes: string }, LockedLane> =>
  statement(
    `with shared as materialized (select pg_advisory_xact_lock_shared(${WRITER_LOCK}))
    select named.value as lane, ${locked} as locked, ${NOW} as now from shared left join ${LANES} on true`,
    'postgres',
  );

const tryLanes = lockLanes(`pg_try_advisory_xact_lock(${LANE}, hashtext(named.value))`);
const waitForLanes = lockLanes(`pg_advisory_xact_lock(${LANE}, hashtext(named.value)) is not null`);

/** What a writer knows when it has its locks. */
interface Locked {
  /** The store's time. */
  readonly now: number;
  readonly ahead: Ahead;
}

/** Takes locks, right after the transaction began. */
type Lock = (connection: Connection) => Promise<Locked>;

interface Writer {
  readonly session: GroupSession;
  readonly begin: (lock: Lock) => Promise<void>;
}

/** Rows of one batch that wait to be sent. */
interface Gathered extends Pick<Batch<object>, 'alone' | 'single' | 'many' | 'check'> {
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
  const lasting = createMemory();
  const gathered = new Map<object, Gathered>();
  let access_changed = false;
  let now = 0;
  let ahead = nothingAhead();
  let writes = 0;
  let sent: Promise<unknown>[] = [];
  /** How many answers have to be looked at before the commit. */
  let unchecked = 0;
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

  const send = (answer: Promise<unknown>, translate = (error: unknown): unknown => error): void => {
    sent.push(
      answer.catch((error: unknown) => {
        failure ??= translate(error);
      }),
    );
  };

  // The commit waits for a number of rows that may be refused alone: after a failure the server does not commit by itself.
  const sendChecked = (answer: Promise<Answer>, check: (changes: number) => void): void => {
    unchecked += 1;
    const checked = answer.then(({ changes }) => {
      check(changes);
      // Not after a refusal: the server knows of none, and would commit.
      unchecked -= 1;
    });
    send(checked);
  };

  const sendWrite = (answer: Promise<Answer>, check?: ((changes: number) => void) | undefined): void =>
    check === undefined ? send(answer) : sendChecked(answer, check);

  // Before any other statement, which may read or refer to these rows.
  function sendGathered(): void {
    if (gathered.size === 0) return;
    const batches = [...gathered.values()];
    gathered.clear();
    for (const { alone, single, many, check, rows } of batches) {
      // The statement itself refuses, so the commit need not wait for its answer.
      const sendRows = (answer: Promise<Answer>): void =>
        send(answer, (error) =>
          isRefusal(error) && check !== undefined ? thrownBy(() => check(0, rows.length)) : error,
        );
      const [only] = rows;
      if (only !== undefined && rows.length === 1) {
        for (const statement of single === undefined ? alone : [single])
          sendRows(connection.query(statement, only.row));
        continue;
      }
      const placed = rows.toSorted((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)));
      sendRows(connection.query(many, { rows: JSON.stringify(placed.map(({ row }) => row)) }));
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
    rememberAlways: lasting.remember,
    take: <T>(name: string): T | undefined => {
      const known = ahead.once.get(name);
      ahead.once.delete(name);
      // A name belongs to one query, so what it names has one type.
      return known as T | undefined;
    },
    accessChanged: () => {
      onAccess();
      access_changed = true;
      memory.clear();
    },
    gather: async (batch, row) => {
      writes += 1;
      const { alone, single, many, check, order } = batch;
      const known = gathered.get(batch) ?? { alone, single, many, check, rows: [] };
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
      sendWrite(query(statement, params), check);
    },
    insertAll: async (insert, rows) => {
      writes += 1;
      const [only] = rows;
      const isOne = only !== undefined && rows.length === 1;
      send(isOne ? query(insert.one, only) : query(insert.many, { rows: JSON.stringify(rows) }));
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
      unchecked = 0;
      failure = undefined;
      memory.clear();
      lasting.clear();
      await connection.ask('rollback to work');
      await connection.ask('release work');
    },
    settle,
    commit: async () => {
      sendGathered();
      if (unchecked > 0) await settle();
      // Behind the last writes, without waiting for their answers.
      const asked = connection.ask('commit');
      let command: string;
      try {
        ({ command } = await asked);
      } catch (error) {
        throw outcomeUnknown(error);
      } finally {
        // An unconfirmed commit may still have happened.
        if (access_changed) onAccessChanged();
      }
      if (command === 'COMMIT') return;
      // One of the writes failed, so nothing was written.
      await settle();
      throw outcomeUnknown(new Error(`The server answered ${command} to a commit.`));
    },
    rollback: async () => {
      // A read-only server is no longer the primary. The next connection finds the new one.
      const isElsewhere = isReadOnly(failure);
      lasting.clear();
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
    unchecked = 0;
    failure = undefined;
    access_changed = false;
    gathered.clear();
    memory.clear();
    const begun = connection.ask(BEGIN);
    const locked = lock(connection);
    try {
      await begun;
      ({ now, ahead } = await locked);
      for (const [name, value] of ahead.still) void memory.remember(name, async () => value);
    } catch (error) {
      await locked.catch(() => {});
      await session.rollback();
      throw error;
    }
  };

  return { session, begin };
}

function thrownBy(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
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

const onlyNow = async (now: Promise<number>): Promise<Locked> => ({ now: await now, ahead: nothingAhead() });

const alone = (connection: Connection): Promise<number> => nowOf(connection.get(lockAlone, {}));
const shared = (connection: Connection): Promise<number> => nowOf(connection.get(lockShared, {}));

/** The connection that writes alone: `begin` waits until no other writer is at work, and reads the database's time. */
export function createPostgresWriter(link: Link, onAccessChanged: () => void): () => Promise<GroupSession> {
  const begin = createWriters(link, { onAccess: () => {}, onAccessChanged });
  return () => begin((connection) => onlyNow(alone(connection)));
}

/** A connection for what all writers leave behind: it is beside those in lanes, and never beside one without a lane. */
export function createSharedWriter(link: Link): () => Promise<GroupSession> {
  const begin = createWriters(link, { onAccess: refuseAccess, onAccessChanged: () => {} });
  return () => begin((connection) => onlyNow(shared(connection)));
}

function refuseAccess(): never {
  throw new NotInLane('Users, tokens and projects stand still in a lane.');
}

/** A transaction, and the lanes that it has: another server may hold the others. */
export interface LaneSession {
  readonly session: GroupSession;
  readonly held: ReadonlySet<string>;
}

/** The lanes of a group, and what its works look up first. */
export interface Wanted extends GroupLookups {
  readonly lanes: readonly string[];
  /** Whether to wait for lanes that another server holds. */
  readonly waits: boolean;
}

/** A connection that writes in lanes. `begin` takes those that are free, or waits for all of them. */
export function createLaneWriter(link: Link) {
  const begin = createWriters(link, { onAccess: refuseAccess, onAccessChanged: () => {} });

  return async ({ lanes, waits, ...lookups }: Wanted): Promise<LaneSession> => {
    const held = new Set<string>();
    const lock: Lock = async (connection) => {
      const named = { lanes: JSON.stringify(lanes) };
      const [found, ahead] = await Promise.all([
        connection.all(waits ? waitForLanes : tryLanes, named),
        // After the locks: it sees what the writers before this one have committed.
        readAhead(connection, lookups),
      ]);
      for (const { lane, locked } of found) if (lane !== null && locked === true) held.add(lane);
      // A lane that was waited for may have been written in after the first lock was taken.
      return { now: Math.max(...found.map(({ now }) => now)), ahead };
    };
    return { session: await begin(lock), held };
  };
}
