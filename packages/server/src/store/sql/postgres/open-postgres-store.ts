import { checkStore } from '#store/sql/check-store';
import { createCommitGroup } from '#store/sql/commit-group';
import { unusable } from '#store/sql/database-error';
import type { Session } from '#store/sql/session';
import { createReads } from '#store/sql/transaction';
import { createWatch } from '#store/sql/watch';
import type { Store } from '#store/store';
import { createLink } from './connection.ts';
import { createPostgresWriter } from './postgres-writer.ts';
import { assertDurable, migrateDatabase } from './prepare-database.ts';

const READERS = 3;

export interface PostgresStoreOptions {
  readonly url: string;
  /** Ids that sort in the order of their making. */
  readonly ids: () => string;
  /** Told of every commit: how many works shared it. */
  readonly onCommit?: ((works: number) => void) | undefined;
}

/** Spreads questions over several connections, so that one long answer does not hold up all others. */
function createReader(url: string) {
  const links = Array.from({ length: READERS }, () => createLink(url));
  let turn = 0;

  const next = () => {
    turn = (turn + 1) % links.length;
    return (links[turn] ?? createLink(url)).get();
  };
  const session: Session = {
    get: async (statement, params) => (await next()).get(statement, params),
    all: async (statement, params) => (await next()).all(statement, params),
  };
  return { session, close: () => Promise.all(links.map((link) => link.close())) };
}

/** Where the database is, without the password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

export async function openPostgresStore({ url, ids, onCommit }: PostgresStoreOptions): Promise<Store> {
  const writing = createLink(url);
  try {
    const connection = await writing.get();
    await assertDurable(connection);
    await migrateDatabase(connection);
  } catch (error) {
    await writing.close();
    throw unusable(placeOf(url), error);
  }
  const reader = createReader(url);
  const reads = createReads(reader.session, Date.now);
  const watch = createWatch(reads.events.head);
  const group = createCommitGroup({ begin: createPostgresWriter(writing), ids, onCommit, onChanges: watch.changed });
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    await group.close();
    watch.stop();
    await Promise.all([writing.close(), reader.close()]);
  };

  return {
    reads,
    transaction: (work) => group.transaction((tx) => work(tx)),
    sayLater: group.sayLater,
    watch: watch.add,
    check: () => group.transaction((_, session) => checkStore(session)),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
