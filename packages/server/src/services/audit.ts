import { hash } from 'node:crypto';
import { type AuditEvent, auditText, GENESIS_HASH } from '#domain/audit';
import type { ReadWork } from './work.ts';

export interface Verification {
  readonly entries: number;
  /** The first entry that is not as it was written; null when all are. */
  readonly first_bad_seq: number | null;
  readonly problem: string | null;
}

const PAGE = 1_000;

function problemOf(event: AuditEvent, seq: number, prev_hash: string): string | null {
  if (event.seq !== seq) return `entry ${seq} is missing`;
  if (event.prev_hash !== prev_hash) return `entry ${seq} does not follow the one before it`;
  if (event.hash !== hash('sha256', auditText(event))) return `entry ${seq} was changed`;
  return null;
}

export function createAudit() {
  return {
    /** Walks the whole chain, in pages, and compares its end with the head kept apart. */
    verify: async ({ tx }: ReadWork): Promise<Verification> => {
      const head = await tx.audit.head();
      let seq = 0;
      let last = GENESIS_HASH;

      for (;;) {
        const page = await tx.audit.page(seq, PAGE);
        for (const event of page) {
          const problem = problemOf(event, seq + 1, last);
          if (problem !== null) return { entries: seq, first_bad_seq: seq + 1, problem };
          seq = event.seq;
          last = event.hash;
        }
        if (page.length < PAGE) break;
      }

      if (seq < head.seq) return { entries: seq, first_bad_seq: seq + 1, problem: `entry ${seq + 1} is missing` };
      // Entries written after the head was read are fine; at the head itself the hashes must agree.
      if (seq === head.seq && last !== head.hash) {
        return { entries: seq, first_bad_seq: seq, problem: `entry ${seq} is not the one the head names` };
      }
      return { entries: seq, first_bad_seq: null, problem: null };
    },
  };
}
