import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeyName } from '#domain/idempotency';
import type { UserId } from '#domain/ids';
import { isDatabaseError } from '#errors';
import { laterWork, MAX_QUEUED, MAX_WORKS, tooMany, type Work } from '#store/sql/commit-group';
import { databaseAway, KeyInUse } from '#store/sql/database-error';
import type { Health } from '#store/sql/health';
import type { JournalDrafts } from '#store/sql/journal';
import type { Later } from '#store/sql/later';
import type { GroupSession, WriteSession } from '#store/sql/session';
import type { Transaction } from '#store/store';
import { createLaneTransactions, type LaneTransactions } from './lane-transactions.ts';
import type { JournalOutcome } from './leave-journal.ts';
import { isDeadlock } from './postgres-errors.ts';
import type { LaneSession, Wanted } from './postgres-writer.ts';

/** Two, so that one group is at work while another waits for its commit. More make groups smaller, and each costs a commit. */
const MAX_GROUPS = 2;
/** How many groups may wait for lanes that another server holds, beside the others. */
const MAX_WAITING_GROUPS = 2;

type BeginLanes = (wanted: Wanted) => Promise<LaneSession>;

interface LaneGroupsOptions {
  /** Opens the connection of a group. */
  readonly open: () => BeginLanes;
  /** Writes what transactions have left, just before their commit. */
  readonly write: (session: WriteSession, drafts: JournalDrafts) => Promise<JournalOutcome>;
  readonly later: Later;
  readonly health: Health;
  readonly onCommit?: ((works: number) => void) | undefined;
  /** Called after each commit. */
  readonly onPlaced: (placed: JournalOutcome) => void;
}

interface InLane {
  readonly lane: string;
  readonly key?: KeyName | undefined;
  readonly user?: UserId | undefined;
}

interface LaneWork extends Work {
  /** Null for what every writer may do at once, such as messages. */
  readonly lane: string | null;
  readonly key?: KeyName | undefined;
  readonly user?: UserId | undefined;
  /** Whether another server was seen to hold the lane. */
  readonly waits: boolean;
}

type Settle = () => void;

/** Where the works of a lane run. */
interface LaneRun {
  readonly session: GroupSession;
  readonly transactions: LaneTransactions;
  /** With a savepoint before each work. */
  readonly careful: boolean;
}

interface Slot {
  readonly begin: BeginLanes;
  readonly transactionsOf: (session: GroupSession) => (at: number) => LaneTransactions;
}

/** The works of each lane, in their order. */
function byLane(works: readonly LaneWork[]): readonly (readonly LaneWork[])[] {
  const lanes = new Map<string | null, LaneWork[]>();
  for (const work of works) {
    const same = lanes.get(work.lane);
    if (same === undefined) lanes.set(work.lane, [work]);
    else same.push(work);
  }
  return [...lanes.values()];
}

const lanesOf = (works: readonly LaneWork[]): readonly string[] =>
  [...new Set(works.map(({ lane }) => lane))].filter((lane) => lane !== null).toSorted();

const isKnown = <T>(value: T | undefined): value is T => value !== undefined;

const wantedBy = (works: readonly LaneWork[], isAlone: boolean): Wanted => ({
  lanes: lanesOf(works),
  keys: works.map(({ key }) => key).filter(isKnown),
  users: [...new Set(works.map(({ user }) => user).filter(isKnown))],
  waits: works.some(({ waits }) => waits),
  places: isAlone,
});

/**
 * Runs transactions of different lanes at once, many of them in one commit. Those of one lane follow each other. A lane that
 * another server holds is left to a group of its own, which waits for it: no other lane waits with it.
 */
export function createLaneGroups({ open, write, later, health, onCommit, onPlaced }: LaneGroupsOptions) {
  const slot = (): Slot => ({ begin: open(), transactionsOf: createLaneTransactions() });
  const free: Slot[] = Array.from({ length: MAX_GROUPS }, slot);
  const waiting: Slot[] = Array.from({ length: MAX_WAITING_GROUPS }, slot);
  const running = new Set<Promise<void>>();
  /** The lanes that groups of this process work in. */
  const busy = new Set<string>();
  let queue: LaneWork[] = [];
  let isPumping = false;
  /** Whether the group before had several works, or another one beside it: more of them are on their way. */
  let had_company = false;
  let isClosed = false;

  async function runOne(at: LaneRun, work: LaneWork, isRepeated = false): Promise<Settle> {
    const { session, transactions, careful } = at;
    const writes = transactions.writes();
    if (careful) await session.mark();
    transactions.journal.mark();
    try {
      const value = await work.run(transactions.tx, session);
      if (careful) await session.keep();
      return () => work.resolve(value);
    } catch (error) {
      // If a statement failed, of this work or of another lane, the whole group fails when it settles.
      if (!careful && transactions.writes() !== writes) throw error;
      transactions.journal.forget();
      if (careful) await session.undo();
      // The other call with this key was under way when this one looked for its answer, and is committed by now.
      if (careful && error instanceof KeyInUse && !isRepeated) return runOne(at, work, true);
      return () => work.reject(error);
    }
  }

  async function runLane(at: LaneRun, works: readonly LaneWork[]): Promise<readonly Settle[]> {
    const settles: Settle[] = [];
    for (const work of works) settles.push(await runOne(at, work));
    return settles;
  }

  /** Lanes run at once: each waits for the database by itself. A careful group has savepoints, which follow each other. */
  async function runLanes(
    session: GroupSession,
    sequences: readonly LaneTransactions[],
    works: readonly LaneWork[],
    careful: boolean,
  ) {
    const lanes = byLane(works);
    // There are transactions for each lane.
    const run = (at: number) =>
      runLane({ session, transactions: sequences[at] as LaneTransactions, careful }, lanes[at] ?? []);
    const settles: Settle[] = [];
    if (careful) {
      for (const at of lanes.keys()) settles.push(...(await run(at)));
      return settles;
    }
    // All of them, before the first error is thrown: a lane that goes on would write into the next group.
    const ran = await Promise.allSettled(lanes.map((_, at) => run(at)));
    for (const one of ran) {
      if (one.status === 'rejected') throw one.reason;
      settles.push(...one.value);
    }
    return settles;
  }

  const rejectAll = (works: readonly LaneWork[], error: unknown): void => {
    health.failed(error);
    for (const work of works) work.reject(error);
  };

  async function runGroup(
    slot: Slot,
    works: readonly LaneWork[],
    { careful = false, isAlone = false } = {},
  ): Promise<void> {
    let begun: LaneSession;
    try {
      begun = await slot.begin(wantedBy(works, isAlone));
    } catch (error) {
      return rejectAll(works, error);
    }
    const { session, held } = begun;
    const mine = works.filter(({ lane }) => lane === null || held.has(lane));
    const others = works.filter(({ lane }) => lane !== null && !held.has(lane));
    if (others.length > 0) queue = [...others.map((work) => ({ ...work, waits: true })), ...queue];
    if (mine.length === 0) return session.rollback();

    const transactionsAt = slot.transactionsOf(session);
    const sequences = byLane(mine).map((_, at) => transactionsAt(at));
    let settles: readonly Settle[];
    let placed: JournalOutcome;
    try {
      settles = await runLanes(session, sequences, mine, careful);
      placed = await write(session, draftsOf(sequences));
      await session.commit();
    } catch (error) {
      await session.rollback();
      return retry(slot, mine, careful, error);
    } finally {
      for (const { journal } of sequences) journal.clear();
    }

    health.worked();
    onCommit?.(mine.length);
    for (const settle of settles) settle();
    onPlaced(placed);
  }

  // One of them made the group fail. Run alone, each gets its own answer.
  async function retry(slot: Slot, works: readonly LaneWork[], careful: boolean, error: unknown): Promise<void> {
    if (isDatabaseError(error) && !isDeadlock(error)) return rejectAll(works, error);
    if (!careful) return runGroup(slot, works, { careful: true });
    if (works.length === 1) return rejectAll(works, error);
    for (const work of works) await runGroup(slot, [work], { careful: true });
  }

  /** The works that a group may take now. */
  function take(waits: boolean): readonly LaneWork[] {
    const taken: LaneWork[] = [];
    const left: LaneWork[] = [];
    let only: string | null | undefined;
    // A lane whose first work is left behind is closed to its later ones.
    const closed = new Set<string>();
    for (const work of queue) {
      const { lane } = work;
      const fits = work.waits === waits && (!waits || only === undefined || only === lane);
      if (taken.length < MAX_WORKS && fits && (lane === null || !(busy.has(lane) || closed.has(lane)))) {
        taken.push(work);
        only = lane;
      } else {
        left.push(work);
        if (lane !== null) closed.add(lane);
      }
    }
    queue = left;
    return taken;
  }

  function runWith(slots: Slot[], works: readonly LaneWork[]): void {
    const slot = slots.pop();
    if (slot === undefined) return;
    const lanes = lanesOf(works);
    for (const lane of lanes) busy.add(lane);
    const isSmall = works.length === 1 && running.size === 0;
    const isAlone = isSmall && !had_company;
    had_company = !isSmall;
    const group = runGroup(slot, works, { isAlone })
      .catch((error: unknown) => rejectAll(works, error))
      .finally(() => {
        for (const lane of lanes) busy.delete(lane);
        slots.push(slot);
        running.delete(group);
        // Not for messages alone: while the database is away, their own timer asks for the next try.
        if (queue.length > 0) start();
      });
    running.add(group);
  }

  async function pump(): Promise<void> {
    await nextTurn();
    isPumping = false;
    if (waiting.length > 0) {
      const works = take(true);
      if (works.length > 0) runWith(waiting, works);
    }
    if (free.length === 0) return;
    const first = laterWork(later);
    const works = [...(first === undefined ? [] : [{ ...first, lane: null, waits: false }]), ...take(false)];
    if (works.length > 0) runWith(free, works);
  }

  function start(): void {
    if (isPumping) return;
    isPumping = true;
    void pump();
  }

  async function idle(): Promise<void> {
    while (running.size > 0 || isPumping || queue.length > 0) {
      await Promise.all(running);
      await nextTurn();
    }
  }

  return {
    transaction: <T>(place: InLane, run: (tx: Transaction) => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        if (isClosed) return reject(databaseAway(new Error('The store is closed.')));
        if (queue.length >= MAX_QUEUED) return reject(tooMany());
        // The queue holds work of every type. The result of a work is of the type of its own promise.
        queue.push({ ...place, waits: false, run, resolve: resolve as (value: unknown) => void, reject });
        start();
      }),

    /** Writes the messages that wait. */
    start,

    /** Finishes the queued work. */
    close: async (): Promise<void> => {
      isClosed = true;
      await idle();
    },
  };
}

const draftsOf = (sequences: readonly LaneTransactions[]): JournalDrafts => {
  const all = sequences.map(({ journal }) => journal.drafts());
  return {
    entries: all.flatMap(({ entries }) => entries),
    events: all.flatMap(({ events }) => events),
    exchanges: all.flatMap(({ exchanges }) => exchanges),
  };
};
