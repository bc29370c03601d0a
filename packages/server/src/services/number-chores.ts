import type { Reads, Transaction } from '#store/store';

const EVERY_MS = 60_000;

/**
 * Gives numbers and keys to rows that a server of an older release has added beside this one. Until then they have no
 * short name.
 */
export function numberChores({ batch }: { readonly batch: number }) {
  // Most projects without a key are todo lists of apps' users, which stay so. A look begins where the last but one ended:
  // a project may be committed a little after one with a larger id.
  let from = '';
  let reached = '';
  let start = '';

  async function findKeyless(reads: Reads): Promise<boolean> {
    start = from;
    for (;;) {
      const page = await reads.names.keyless({ after: start, limit: batch });
      if (page.some(({ wants_key }) => wants_key)) return true;
      start = page.at(-1)?.id ?? start;
      if (page.length < batch) break;
    }
    from = reached;
    reached = start;
    return false;
  }

  return [
    {
      every_ms: EVERY_MS,
      isDue: (reads: Reads) => reads.names.hasUnnumbered(),
      part: async (tx: Transaction) => (await tx.names.giveNumbers(batch)) >= batch,
    },
    {
      every_ms: EVERY_MS,
      isDue: findKeyless,
      part: (tx: Transaction) => tx.names.giveKeys({ after: start, limit: batch }),
    },
  ];
}
