import type { Reads, Transaction } from '#store/store';

const EVERY_MS = 60_000;
/** Each time one segment is listed, so that reading its tasks takes a small part of the time. */
const LIST_EVERY_MS = 2_000;

/** How many tasks one transaction puts in a segment of the search index. More would make writers wait longer. */
const MAX_FILED = 200;

type FindWords = (reads: Reads) => ReturnType<Reads['upkeep']['unlisted']>;

/** Keeps the words of one segment each time, or drops them. */
function listing(every_ms: number, find: FindWords) {
  let found: Awaited<ReturnType<FindWords>> = null;
  return {
    every_ms,
    isDue: async (reads: Reads) => {
      found = await find(reads);
      return found !== null;
    },
    part: async (tx: Transaction) => {
      if (found !== null) await tx.upkeep.list(found);
      return false;
    },
  };
}

/** Counts tasks, and files them in the search index, so that reads of large projects stay as fast as those of small ones. */
export const upkeepChores = () => [
  {
    every_ms: EVERY_MS,
    isDue: (reads: Reads) => reads.upkeep.hasUncounted(),
    part: (tx: Transaction) => tx.upkeep.count(),
  },
  {
    every_ms: EVERY_MS,
    isDue: (reads: Reads) => reads.upkeep.hasUnfiled(),
    part: (tx: Transaction) => tx.upkeep.file(MAX_FILED),
  },
  listing(LIST_EVERY_MS, (reads) => reads.upkeep.unlisted()),
  listing(EVERY_MS, (reads) => reads.upkeep.outdated()),
];
