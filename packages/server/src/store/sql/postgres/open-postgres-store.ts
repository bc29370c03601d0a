import { say } from '#advice';
import type { NewId } from '#domain/ids';
import { ErrandError, isDatabaseError } from '#errors';
import { AS_OWNER, type Opening, type SchemaChange } from '#store/opening';
import { createCommitGroup } from '#store/sql/commit-group';
import { unusable } from '#store/sql/database-error';
import { createHealth, type OnHealth } from '#store/sql/health';
import { checkStore } from '#store/sql/readiness';
import type { Session } from '#store/sql/session';
import { createReads } from '#store/sql/transaction';
import { createWatch } from '#store/sql/watch';
import type { Store } from '#store/store';
import { type Connection, type ConnectionTarget, createLink } from './connection.ts';
import { createPostgresWriter } from './postgres-writer.ts';
import { assertDurable, prepareDatabase } from './prepare-database.ts';

const READERS = 3;

export interface PostgresStoreOptions extends ConnectionTarget {
  /** Makes ids that sort by their time of creation. */
  readonly ids: NewId;
  /** Called for every commit with the number of transactions in it. */
  readonly onCommit?: ((works: number) => void) | undefined;
  readonly onHealth?: OnHealth | undefined;
  /** By default the schema is created and migrated. */
  readonly opening?: Opening | undefined;
}

/** Spreads queries over several connections, so that one long query does not delay all others. */
function createReader(target: ConnectionTarget, onFailure: () => void) {
  const links = Array.from({ length: READERS }, () => createLink(target));
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

const CHECK_ADDRESS = say`Start the database, or give its address with --database-url or ${{ setting: 'ERRAND_DATABASE_URL' }}.`;

/** Where the database is, without the password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, ids, onCommit, onHealth = () => {}, opening = AS_OWNER } = options;
  const writing = createLink(options);
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
  const watch = createWatch(reads.events.head);
  const group = createCommitGroup({
    begin: createPostgresWriter(writing),
    ids,
    health,
    onCommit,
    onChanges: watch.changed,
  });
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    health.stop();
    await group.close();
    watch.stop();
    await Promise.all([writing.close(), reader.close()]);
  };

  return {
    reads,
    transaction: (work) => group.transaction((tx) => work(tx)),
    sayLater: group.sayLater,
    watch: watch.add,
    schema,
    check,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
