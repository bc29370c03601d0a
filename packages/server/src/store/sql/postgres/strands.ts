import { createJournal, type Journal } from '#store/sql/journal';
import type { GroupSession, WriteSession } from '#store/sql/session';
import { createTransaction } from '#store/sql/transaction';
import type { Transaction } from '#store/store';

/** One of several sequences of transactions that share a connection and its database transaction. */
export interface Strand {
  readonly tx: Transaction;
  readonly journal: Journal;
  /** How many statements of this strand have written. */
  readonly writes: () => number;
}

function createStrand(session: GroupSession): Strand {
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

/** The strands of a connection, made once: a transaction has some hundred functions. */
export function createStrands(): (session: GroupSession) => (at: number) => Strand {
  const known = new WeakMap<GroupSession, Strand[]>();

  return (session) => {
    const strands = known.get(session) ?? [];
    known.set(session, strands);
    return (at) => {
      strands[at] ??= createStrand(session);
      return strands[at];
    };
  };
}
