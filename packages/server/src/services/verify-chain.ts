import { hash } from 'node:crypto';
import { type AuditEvent, auditText, GENESIS_HASH } from '#domain/audit';
import type { Reads } from '#store/store';

/** The end of a chain: the number and hash of its last entry. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export interface Verification {
  /** How many entries were found in order. */
  readonly entries: number;
  /** The first changed entry; null when all are correct, or when the fault is not in an entry. */
  readonly first_bad_seq: number | null;
  /** The fault in words; null for a sound chain. */
  readonly problem: string | null;
  /** The end of the chain, to be noted elsewhere; null when something is wrong. */
  readonly head: Head | null;
}

interface Fault {
  readonly seq: number | null;
  readonly problem: string;
}

type Audit = Reads['audit'];

const PAGE = 1_000;
/** Entries start at 1, but an entry that was inserted before must be found, not skipped. */
export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
const GENESIS: Head = { seq: 0, hash: GENESIS_HASH };

const hashOf = (event: AuditEvent): string => hash('sha256', auditText(event));
const isSound = (event: AuditEvent, seq = event.seq): boolean => event.hash === hashOf({ ...event, seq });

async function* entries(audit: Audit): AsyncGenerator<AuditEvent> {
  let after = BEFORE_ALL;
  for (;;) {
    const page = await audit.page(after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.seq;
  }
}

/** The number of the entry with this hash; null when there is none. */
async function placeOf(audit: Audit, wanted: string): Promise<number | null> {
  if (wanted === GENESIS_HASH) return GENESIS.seq;
  for await (const event of entries(audit)) if (event.hash === wanted) return event.seq;
  return null;
}

/** Whether the next entry was chained to this entry as it is. */
async function isVouchedFor(audit: Audit, event: AuditEvent): Promise<boolean> {
  const [next] = await audit.page(event.seq, 1);
  return event.hash === (next === undefined ? (await audit.head())?.hash : next.prev_hash);
}

/** Finds the fault where an entry does not continue the chain: the entry itself, or one before it. */
async function faultAt(audit: Audit, event: AuditEvent, last: Head): Promise<Fault> {
  const seq = last.seq + 1;
  if (event.seq < seq) return { seq: event.seq, problem: `entry ${event.seq} was inserted` };
  if (event.seq > seq) {
    const head = await audit.head();
    return head !== null && head.seq < seq
      ? { seq: event.seq, problem: `entry ${event.seq} was inserted: the trail ends with entry ${head.seq}` }
      : { seq, problem: `entry ${seq} is missing` };
  }
  if (isSound(event, seq + 1)) {
    return { seq, problem: `entry ${seq} is missing: the one in its place was written as entry ${seq + 1}` };
  }
  if (event.prev_hash === last.hash) return { seq, problem: `entry ${seq} was changed` };
  if (last.seq > 0 && isSound(event) && (await isVouchedFor(audit, event))) {
    return { seq: last.seq, problem: `entry ${last.seq} was changed: the one after it was written to follow another` };
  }
  const followed = await placeOf(audit, event.prev_hash);
  if (followed !== null && followed < last.seq && isSound(event, followed + 1)) {
    return { seq: followed + 1, problem: `entry ${followed + 1} was inserted: another was written to be in its place` };
  }
  return { seq, problem: `entry ${seq} was changed` };
}

const continues = (event: AuditEvent, last: Head): boolean =>
  event.seq === last.seq + 1 && event.prev_hash === last.hash && isSound(event);

/** Returns the fault at the end of the chain. The head was read after the last entry. */
function faultOfEnd(last: Head, head: Head | null): Fault | null {
  if (head === null) return { seq: null, problem: 'the head, which says where the trail ends, is missing' };
  if (last.seq > head.seq) {
    return { seq: head.seq + 1, problem: `entry ${head.seq + 1} was inserted: the trail ends with entry ${head.seq}` };
  }
  return null;
}

const notThat = (seq: number, whose: string): Fault => ({
  seq,
  problem: `entry ${seq} is not the one that ${whose} names: it, or one before it, was rewritten`,
});

/**
 * Reads the whole chain and compares it with its head, and with a head that was noted elsewhere:
 * without the noted one, a chain that was rewritten together with its head looks correct.
 */
export async function verifyChain(audit: Audit, noted: Head | null): Promise<Verification> {
  const start = await audit.head();
  let last = GENESIS;
  const found = ({ seq, problem }: Fault): Verification => ({
    entries: last.seq,
    first_bad_seq: seq,
    problem,
    head: null,
  });
  const mustBe = (head: Head | null, whose: string): Fault | null =>
    head !== null && head.seq === last.seq && head.hash !== last.hash ? notThat(last.seq, whose) : null;
  const faultHere = (): Fault | null => mustBe(start, 'the head') ?? mustBe(noted, 'the noted head');

  for await (const event of entries(audit)) {
    if (!continues(event, last)) return found(await faultAt(audit, event, last));
    last = event;
    const fault = faultHere();
    if (fault !== null) return found(fault);
  }

  // The entries that the first head counts must exist; the second head counts later ones.
  for (const head of [start, noted]) {
    if (head !== null && head.seq > last.seq) {
      return found({ seq: last.seq + 1, problem: `entry ${last.seq + 1} is missing: the trail was cut` });
    }
  }
  const fault = faultHere() ?? faultOfEnd(last, await audit.head());
  return fault === null
    ? { entries: last.seq, first_bad_seq: null, problem: null, head: { seq: last.seq, hash: last.hash } }
    : found(fault);
}
