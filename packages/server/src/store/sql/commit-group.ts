import { setImmediate as nextTurn } from 'node:timers/promises';
import { ErrandError, isDatabaseError } from '#errors';
import type { Transaction } from '#store/store';
import { databaseAway, RETRY_AFTER_MS } from './database-error.ts';
import type { Health } from './health.ts';
import { createJournal, type Journal } from './journal.ts';
import type { Later } from './later.ts';
import type { GroupSession } from './session.ts';
import { createTransaction } from './transaction.ts';
import type { WriteJournal } from './write-journal.ts';

// Large enough for one commit to serve all waiting calls, small enough not to block the event loop.
export const MAX_WORKS = 128;
export const MAX_QUEUED = 10_000;
/** How many turns of the event loop a group waits for more calls while each turn brings some. */
const MAX_TURNS = 16;

interface CommitGroupOptions {
  /** Takes the writers' lock. */
  readonly begin: () => Promise<GroupSession>;
  readonly writeJournal: WriteJournal;
  /** Messages of calls that only read: each group writes those that wait. */
  readonly later: Later;
  /** Called for every commit with the number of transactions in it. */
  readonly onCommit?: ((works: number) => void) | undefined;
  readonly health: Health;
  /** Called before the callers of a group are answered, unless the group has written messages of reads alone. */
  readonly onWritten?: () => void;
  /** Called for every commit with events, with the number of the last one. */
  readonly onChanges: (head: number) => void;
}

/** A transaction that waits for its turn. */
export interface Work {
  readonly run: (tx: Transaction, session: GroupSession) => Promise<unknown>;
  /** It writes messages of calls that only read. */
  readonly is_later?: true;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The work of messages that wait. First in its group: earlier messages must be stored before later ones. */
export function laterWork(later: Later): Work | undefined {
  const exchanges = later.take();
  if (exchanges.length === 0) return undefined;
  return {
    is_later: true,
    run: async (tx) => {
      for (const exchange of exchanges) tx.say(exchange);
    },
    resolve: () => {},
    reject: (error) => {
      if (isDatabaseError(error)) later.putBack(exchanges);
    },
  };
}

export const tooMany = (): ErrandError =>
  new ErrandError('overloaded', 'Too many changes are waiting. Wait a moment and try again.', {
    retry_after_ms: RETRY_AFTER_MS,
  });

interface GroupContext {
  readonly session: GroupSession;
  readonly journal: Journal;
  readonly tx: Transaction;
}

type Settle = () => void;

/** Resolves when everything that is ready now has run. It takes no turn of the event loop. */
const afterReady = (): Promise<void> => new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));

interface Done {
  readonly settles: readonly Settle[];
  /** The number of the last event; null when there was none. */
  readonly head: number | null;
}

/** Runs units of work one after another, many of them in one database transaction: one commit, then all are answered. */
export function createCommitGroup(options: CommitGroupOptions) {
  const { begin, writeJournal, later, health, onCommit, onWritten, onChanges } = options;
  let queue: Work[] = [];
  let running: Promise<void> | undefined;
  let closed = false;
  let had_company = false;
  let context: GroupContext | undefined;

  function contextFor(session: GroupSession): GroupContext {
    if (context?.session === session) return context;
    const journal = createJournal();
    context = { session, journal, tx: createTransaction(session, journal) };
    return context;
  }

  // Savepoints cost more than the work itself, and work seldom fails after it wrote. The first try
  // uses none. When one unit fails, the second try uses savepoints and rolls back that one alone.
  async function runOne({ session, journal, tx }: GroupContext, work: Work, careful: boolean): Promise<Settle> {
    const { writes } = session;
    if (careful) await session.mark();
    journal.mark();
    try {
      const value = await work.run(tx, session);
      if (careful) await session.keep();
      return () => work.resolve(value);
    } catch (error) {
      if (!careful && session.writes !== writes) throw error;
      journal.forget();
      if (careful) await session.undo();
      return () => work.reject(error);
    }
  }

  async function runAll(at: GroupContext, works: readonly Work[], careful: boolean): Promise<Done> {
    const settles: Settle[] = [];
    for (const work of works) settles.push(await runOne(at, work, careful));
    const head = await writeJournal(at.session, at.journal.drafts());
    await at.session.settle();
    return { settles, head };
  }

  const rejectAll = (works: readonly Work[], error: unknown): void => {
    health.failed(error);
    for (const work of works) work.reject(error);
  };

  const noteWritten = (works: readonly Work[]): void => {
    if (works.some(({ is_later }) => is_later !== true)) onWritten?.();
  };

  async function runGroup(works: readonly Work[], careful = false): Promise<void> {
    let at: GroupContext;
    try {
      at = contextFor(await begin());
    } catch (error) {
      return rejectAll(works, error);
    }

    let done: Done;
    try {
      done = await runAll(at, works, careful);
    } catch (error) {
      at.journal.clear();
      await at.session.rollback();
      return retry(works, careful, error);
    }

    at.journal.clear();
    try {
      await at.session.commit();
    } catch (error) {
      // It may have been committed all the same.
      noteWritten(works);
      await at.session.rollback();
      return rejectAll(works, error);
    }
    noteWritten(works);
    health.worked();
    onCommit?.(works.length);
    for (const settle of done.settles) settle();
    if (done.head !== null) onChanges(done.head);
  }

  // One of them made the group fail. Run alone, each gets its own answer.
  async function retry(works: readonly Work[], careful: boolean, error: unknown): Promise<void> {
    if (works.length === 1 || isDatabaseError(error)) return rejectAll(works, error);
    if (!careful) return runGroup(works, true);
    for (const work of works) await runGroup([work]);
  }

  // The callers of the group before send their next calls now. One commit for all of them costs the least.
  async function gather(): Promise<void> {
    let found: number;
    let turns = 0;
    do {
      found = queue.length;
      turns += 1;
      await nextTurn();
    } while (queue.length > found && queue.length < MAX_WORKS && turns < MAX_TURNS);
  }

  async function pump(): Promise<void> {
    try {
      do {
        // A write that is alone commits at once. Where several came before, more are on their way.
        await (had_company ? gather() : afterReady());
        const works = queue.slice(0, MAX_WORKS);
        queue = queue.slice(MAX_WORKS);
        const first = laterWork(later);
        had_company = works.length > 1;
        if (first !== undefined) works.unshift(first);
        if (works.length > 0) await runGroup(works).catch((error: unknown) => rejectAll(works, error));
      } while (queue.length > 0);
    } finally {
      running = undefined;
    }
  }

  function start(): void {
    running ??= pump();
  }

  return {
    transaction: <T>(run: (tx: Transaction, session: GroupSession) => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        if (closed) return reject(databaseAway(new Error('The store is closed.')));
        if (queue.length >= MAX_QUEUED) return reject(tooMany());
        // The queue holds work of every type. The result of a work is of the type of its own promise.
        queue.push({ run, resolve: resolve as (value: unknown) => void, reject });
        start();
      }),

    /** Writes the messages that wait. */
    start,

    /** Finishes the queued work. */
    close: async (): Promise<void> => {
      closed = true;
      await running;
      // Only while there is progress: a database that is away must not keep the process from ending.
      for (let left = Infinity; later.size() > 0 && later.size() < left; ) {
        left = later.size();
        start();
        await running;
      }
      later.stop();
    },
  };
}
