import { say } from '#advice';
import type { NewId } from '#domain/ids';
import { ErrandError, isDatabaseError } from '#errors';
import { AS_OWNER, type Opening, type SchemaChange } from '#store/opening';
import { createCommitGroup } from '#store/sql/commit-group';
import { unusable } from '#store/sql/database-error';
import { createHealth, type OnHealth } from '#store/sql/health';
import { createLater } from '#store/sql/later';
import { checkStore } from '#store/sql/readiness';
import { lookAtOutbox, moveAll } from '#store/sql/repositories/outbox';
import type { Session } from '#store/sql/session';
import { createReads } from '#store/sql/transaction';
import { createWatch } from '#store/sql/watch';
import { createWriteJournal, type WriteJournal } from '#store/sql/write-journal';
import type { Reads, Store } from '#store/store';
import { type Connection, type ConnectionTarget, createLink } from './connection.ts';
import { createLaneGroups } from './lane-groups.ts';
import { createLeaveJournal } from './leave-journal.ts';
import { createMover, type Mover } from './mover.ts';
import { createLaneWriter, createPostgresWriter, createSharedWriter } from './postgres-writer.ts';
import { assertDurable, prepareDatabase } from './prepare-database.ts';
import { createTokenCache } from './token-cache.ts';

const MAX_READERS = 3;
const LOOK_EVERY_MS = 1000;

export interface PostgresStoreOptions extends ConnectionTarget {
  /** Makes ids that sort by their time of creation. */
  readonly ids: NewId;
  /** Called for every commit with the number of transactions in it. */
  readonly onCommit?: ((works: number) => void) | undefined;
  readonly onHealth?: OnHealth | undefined;
  /** How long this process may present a token as it was, after another changed it: not at all by default. */
  readonly max_access_age_ms?: number | undefined;
  /** By default the schema is created and migrated. */
  readonly opening?: Opening | undefined;
}

/** Spreads queries over several connections, so that one long query does not delay all others. */
function createReader(target: ConnectionTarget, onFailure: () => void) {
  const links = Array.from({ length: MAX_READERS }, () => createLink(target));
  let turn = 0;

  const onNext = async <T>(ask: (connection: Connection) => Promise<T>): Promise<T> => {
    turn = (turn + 1) % links.length;
    try {
      return await ask(await (links[turn] ?? createLink(target)).get());
    } catch (error) {
      if (isDatabaseError(error)) onFailure();
      throw error;
    }
  };
  const session: Session = {
    get: (statement, params) => onNext((connection) => connection.get(statement, params)),
    all: (statement, params) => onNext((connection) => connection.all(statement, params)),
  };
  return { session, close: () => Promise.all(links.map((link) => link.close())) };
}

/** What writers in lanes have left comes before what a writer leaves who is alone. */
const afterTheOthers =
  (write: WriteJournal): WriteJournal =>
  async (session, drafts) => {
    if (drafts.entries.length + drafts.events.length > 0) await moveAll(session);
    return write(session, drafts);
  };

/** The trail with everything that is committed: an entry gets its place soon after its commit, and a reader asks for it now. */
const inPlace = (audit: Reads['audit'], { settled }: Mover): Reads['audit'] => ({
  named: audit.named,
  page: async (after, limit) => {
    await settled();
    return audit.page(after, limit);
  },
  head: async () => {
    await settled();
    return audit.head();
  },
  list: async (workspace, query) => {
    await settled();
    return audit.list(workspace, query);
  },
});

/** Reads the number of the last event. What waits for its number since the last look was left by a server that is gone. */
function createLook(session: Session, mover: Mover): () => Promise<number> {
  let last: number | null = null;
  return async () => {
    const { seq, oldest } = await lookAtOutbox(session);
    if (oldest !== null && oldest === last) mover.kick();
    last = oldest;
    return seq;
  };
}

/** Looks also while nobody watches: what a killed server left would wait for the next writer otherwise. Returns what ends it. */
function lookRegularly(look: () => Promise<unknown>): () => void {
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    // While the database is away nothing can be moved. The looks after its return find everything.
    await look().catch(() => {});
    isLooking = false;
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

const CHECK_ADDRESS = say`Start the database, or give its address with --database-url or ${{ setting: 'ERRAND_DATABASE_URL' }}.`;

/** Where the database is, without the password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, ids, onCommit, onHealth = () => {}, opening = AS_OWNER } = options;
  const writing = createLink(options);
  const moving = createLink(options);
  const links = [writing, moving];
  let schema: SchemaChange;
  try {
    const connection = await writing.get();
    await assertDurable(connection);
    schema = await prepareDatabase(connection, placeOf(url), opening);
  } catch (error) {
    await writing.close();
    throw error instanceof ErrandError && !isDatabaseError(error)
      ? error
      : unusable(placeOf(url), error, CHECK_ADDRESS);
  }
  const check = (): Promise<void> => group.transaction((_, session) => checkStore(session));
  const health = createHealth(onHealth, check);
  const reader = createReader(options, health.suspected);
  // No statement of PostgreSQL reads this clock: outside a transaction each one asks the server for its time.
  const reads = createReads(reader.session, Date.now);
  const tokens = createTokenCache({ session: reader.session, max_age_ms: options.max_access_age_ms });
  const mover = createMover({
    hasLeft: async () => (await lookAtOutbox(reader.session)).oldest !== null,
    begin: createSharedWriter(moving),
    onMoved: (head) => watch.changed(head),
  });
  const watch = createWatch(createLook(reader.session, mover));
  const later = createLater(() => lanes.start());
  const group = createCommitGroup({
    begin: createPostgresWriter(writing, tokens.forget),
    writeJournal: afterTheOthers(createWriteJournal(ids)),
    later,
    health,
    onCommit,
    onChanges: watch.changed,
  });
  const lanes = createLaneGroups({
    open: () => {
      const link = createLink(options);
      links.push(link);
      return createLaneWriter(link);
    },
    write: createLeaveJournal(ids),
    later,
    health,
    onCommit,
    onPlaced: ({ hasLeft, head }) => {
      if (hasLeft) mover.kick();
      if (head !== null) watch.changed(head);
    },
  });
  // A server that was killed may have left something.
  mover.kick();
  // Not shared with watchers: two looks soon after each other would take fresh rows for those of a killed server.
  const stopLooking = lookRegularly(createLook(reader.session, mover));
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    health.stop();
    stopLooking();
    await lanes.close();
    await group.close();
    await mover.settled().catch(() => {});
    await mover.close();
    watch.stop();
    await Promise.all([...links.map((link) => link.close()), reader.close()]);
  };

  return {
    reads: {
      ...reads,
      audit: inPlace(reads.audit, mover),
      tokens: { ...reads.tokens, present: tokens.present },
    },
    has_lanes: true,
    transaction: (work, { lane, ...place } = {}) =>
      lane === undefined ? group.transaction((tx) => work(tx)) : lanes.transaction({ ...place, lane }, work),
    sayLater: later.add,
    version: null,
    watch: watch.add,
    schema,
    check,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
