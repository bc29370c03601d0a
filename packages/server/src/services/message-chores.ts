import type { Limits } from '#domain/limits';
import type { Reads, Transaction } from '#store/store';

const EVERY_MS = 10 * 60_000;

/** Twice the time between two rounds: a user whom one round misses is found by the next. */
const ACTIVE_WITHIN_MS = 2 * EVERY_MS;

/** How many users with too many messages one round handles. */
const MAX_USERS = 100;

interface Needs {
  readonly limits: Pick<Limits, 'messages_kept_ms' | 'max_messages_per_user'>;
  /** How many messages one transaction deletes. */
  readonly batch: number;
}

/** Deletes conversations that are too old, and the oldest messages of users with too many. */
export function messageChores({ limits: { messages_kept_ms, max_messages_per_user }, batch }: Needs) {
  let crowded: { readonly user_id: Parameters<Transaction['conversations']['trim']>[0]; left: number }[] = [];

  return [
    {
      every_ms: EVERY_MS,
      isDue: (reads: Reads) => reads.conversations.hasOlder(messages_kept_ms),
      part: async (tx: Transaction) => (await tx.conversations.sweep(tx.now - messages_kept_ms, batch)) >= batch,
    },
    {
      every_ms: EVERY_MS,
      isDue: async (reads: Reads) => {
        const found = await reads.conversations.crowded({
          active_within_ms: ACTIVE_WITHIN_MS,
          most: max_messages_per_user,
          limit: MAX_USERS,
        });
        crowded = found.map(({ user_id, count }) => ({ user_id, left: count - max_messages_per_user }));
        return crowded.length > 0;
      },
      part: async (tx: Transaction) => {
        const [first] = crowded;
        if (first === undefined) return false;
        const wanted = Math.min(first.left, batch);
        const deleted = await tx.conversations.trim(first.user_id, wanted);
        // Assigned, not added: a retried transaction must not count twice.
        crowded =
          deleted < wanted || first.left <= batch
            ? crowded.slice(1)
            : [{ ...first, left: first.left - deleted }, ...crowded.slice(1)];
        return crowded.length > 0;
      },
    },
  ];
}
