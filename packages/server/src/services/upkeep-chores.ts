import type { Reads, Transaction } from '#store/store';

const EVERY_MS = 60_000;

/** How many tasks one transaction puts in a segment of the search index. More would make writers wait longer. */
const FILED_AT_ONCE = 200;

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
    part: (tx: Transaction) => tx.upkeep.file(FILED_AT_ONCE),
  },
];
