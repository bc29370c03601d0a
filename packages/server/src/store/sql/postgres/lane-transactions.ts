import { createJournal, type Journal } from '#store/sql/journal';
import type { GroupSession, WriteSession } from '#store/sql/session';
import { createTransaction } from '#store/sql/transaction';
import type { Transaction } from '#store/store';

/** The transactions of one lane in a group: they follow each other, beside those of other lanes in the same commit. */
export interface LaneTransactions {
  readonly tx: Transaction;
  readonly journal: Journal;
  /** How many of their statements have written. */
  readonly writes: () => number;
}

function transactionsOf(session: GroupSession): LaneTransactions {
  let writes = 0;
  const counted =
    <Args extends readonly unknown[], Answer>(write: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      writes += 1;
      return write(...args);
    };
  const own: WriteSession = {
    get now() {
      return session.now;
    },
    get: session.get,
    all: session.all,
    remember: session.remember,
    rememberAlways: session.rememberAlways,
    take: session.take,
    accessChanged: session.accessChanged,
    // The casts keep the type parameters of the methods, which a wrapper of any function loses.
    run: counted(session.run) as WriteSession['run'],
    returning: counted(session.returning) as WriteSession['returning'],
    write: counted(session.write) as WriteSession['write'],
    gather: counted(session.gather) as WriteSession['gather'],
    insertAll: counted(session.insertAll) as WriteSession['insertAll'],
  };
  const journal = createJournal();
  return { tx: createTransaction(own, journal), journal, writes: () => writes };
}

/** Those of each lane of a connection, made once: a transaction has some hundred functions. */
export function createLaneTransactions(): (session: GroupSession) => (at: number) => LaneTransactions {
  const known = new WeakMap<GroupSession, LaneTransactions[]>();

  return (session) => {
    const made = known.get(session) ?? [];
    known.set(session, made);
    return (at) => {
      made[at] ??= transactionsOf(session);
      return made[at];
    };
  };
}
