import type { Caller } from '#domain/caller';
import type { ClientSessionLimits } from '#domain/client-session';
import type { Store } from '#store/store';

/** How long a server holds a question without renewing it: the time that a question waits when its server is killed. */
const HOLD_MS = 10_000;

/** The last use of a session is written at most this often: a write per request would cost more than the request. */
const TOUCH_EVERY_MS = 60_000;

/** The longest description of a client that is kept. */
const MAX_FACTS_BYTES = 16_384;

/** Sessions of MCP clients, each bound to the identity that opened it. A session id alone opens nothing. */
export interface ClientSessions {
  /** False when no session was created: too many are open, or the client's description is too long. */
  readonly open: (caller: Caller, id: string, facts: string) => Promise<boolean>;
  /** The stored client data; null when the session is unknown, has ended, or belongs to another caller. */
  readonly find: (caller: Caller, id: string) => Promise<string | null>;
  readonly end: (caller: Caller, id: string) => Promise<void>;
  /** Records that a task was made in the session: another server may hold its stream. */
  readonly announceTask: (id: string) => Promise<void>;
  /** How many tasks were made in each of the sessions that exist. Counts as using them. */
  readonly tasksMade: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Whether this server may ask the question: false while another server holds it. */
  readonly claimQuestion: (id: string, question_id: string) => Promise<boolean>;
  /** Renews the questions that this server holds. */
  readonly renewQuestions: () => Promise<void>;
  readonly releaseQuestion: (id: string, question_id: string) => Promise<void>;
}

interface Needs {
  readonly store: Pick<Store, 'reads' | 'transaction'>;
  readonly limits: ClientSessionLimits;
  /** Names this server as the holder of questions. */
  readonly server_id: string;
  readonly report: (error: unknown) => void;
}

/** Another token is another identity, also where both belong to one person. */
const ownerOf = ({ token_id, principal_id }: Caller): string => `${token_id ?? 'none'} ${principal_id}`;

export function createClientSessions({ store, limits, server_id: holder, report }: Needs): ClientSessions {
  const { max_sessions, max_sessions_per_caller, idle_ms } = limits;
  const touch_every_ms = Math.min(TOUCH_EVERY_MS, idle_ms / 4);
  /** When each session was last written as used by this server, by its own monotonic clock. */
  const touched = new Map<string, number>();

  function touch(ids: readonly string[]): void {
    const now = performance.now();
    const due = ids.filter((id) => now - (touched.get(id) ?? Number.NEGATIVE_INFINITY) >= touch_every_ms);
    if (due.length === 0) return;
    for (const id of due) touched.delete(id);
    for (const id of due) touched.set(id, now);
    for (const [id, at] of touched) {
      if (touched.size <= max_sessions && now - at < touch_every_ms) break;
      touched.delete(id);
    }
    store
      .transaction(async (tx) => {
        for (const id of due) await tx.clientSessions.ofServer.touch(id);
      })
      .catch(report);
  }

  return {
    open: (caller, id, facts) => {
      if (caller.fault !== null || Buffer.byteLength(facts) > MAX_FACTS_BYTES) return Promise.resolve(false);
      const owner = ownerOf(caller);
      const opened = store.transaction(async (tx) => {
        await tx.clientSessions.keepNewest(owner, max_sessions_per_caller - 1);
        if ((await tx.clientSessions.count()) >= max_sessions) return false;
        await tx.clientSessions.insert({ id, owner, facts, tasks_made: 0, created_at: tx.now, seen_at: tx.now });
        return true;
      });
      // A client that connects while the database is away gets no session. Its calls fail with the reason.
      return opened.catch((error: unknown) => {
        report(error);
        return false;
      });
    },
    find: async (caller, id) => {
      if (caller.fault !== null) throw caller.fault;
      const session = await store.reads.clientSessions.find(ownerOf(caller), id, idle_ms);
      if (session === null) return null;
      touch([id]);
      return session.facts;
    },
    end: (caller, id) => store.transaction((tx) => tx.clientSessions.remove(ownerOf(caller), id)),
    announceTask: (id) => store.transaction((tx) => tx.clientSessions.ofServer.addTask(id)),
    tasksMade: async (ids) => {
      const rows = await store.reads.clientSessions.ofServer.tasksMade(ids);
      touch(rows.map(({ id }) => id));
      return new Map(rows.map(({ id, tasks_made }) => [id, tasks_made] as const));
    },
    claimQuestion: (session_id, question_id) =>
      store.transaction((tx) =>
        tx.clientSessions.ofServer.claimQuestion({ session_id, question_id, holder, held_until: tx.now + HOLD_MS }),
      ),
    renewQuestions: () =>
      store.transaction((tx) => tx.clientSessions.ofServer.renewQuestions(holder, tx.now + HOLD_MS)),
    releaseQuestion: (session_id, question_id) =>
      store.transaction((tx) => tx.clientSessions.ofServer.releaseQuestion({ session_id, question_id, holder })),
  };
}
