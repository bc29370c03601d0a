/** A change of the trail by somebody who can write to the database, and the entry that verification must name. */
export interface Tampering {
  readonly name: string;
  readonly sql: readonly string[];
  /** Null when nothing can be noticed without a noted head. */
  readonly first_bad_seq: number | null;
}

const COLUMNS = [
  ...['at', 'workspace_id', 'actor_kind', 'user_id', 'agent_id', 'token_id', 'outcome', 'entity', 'entity_id'],
  ...['idempotency_key', 'correlation_id', 'before_digest', 'after_digest', 'instruction_ref', 'reason', 'repeats'],
  ...['prev_hash', 'hash'],
].join();

const movedTo = (from: string, to: string): string => `update audit_events set seq = ${to} where seq = ${from}`;
const forged = (like: number, seq: number): string =>
  `insert into audit_events (seq, action, ${COLUMNS}) select ${seq}, 'forged', ${COLUMNS} from audit_events where seq = ${like}`;

/** All of them, at the first entry, one in the middle and the last. */
export function tamperings(entries: number, middle: number): readonly Tampering[] {
  const at = (seq: number): readonly Tampering[] => [
    {
      name: `entry ${seq} changed`,
      sql: [`update audit_events set action = 'another' where seq = ${seq}`],
      first_bad_seq: seq,
    },
    { name: `entry ${seq} deleted`, sql: [`delete from audit_events where seq = ${seq}`], first_bad_seq: seq },
    {
      name: `an entry inserted as ${seq}, the rest moved up`,
      // By way of negative numbers: two entries cannot have one number even for a moment.
      sql: [
        `update audit_events set seq = -seq where seq >= ${seq}`,
        'update audit_events set seq = 1 - seq where seq < 0',
        forged(seq + 1, seq),
      ],
      first_bad_seq: seq,
    },
  ];
  return [
    ...[1, middle, entries].flatMap(at),
    {
      name: `entries ${middle} and ${middle + 1} in the other order`,
      sql: [
        movedTo(String(middle), '-1'),
        movedTo(String(middle + 1), String(middle)),
        movedTo('-1', String(middle + 1)),
      ],
      first_bad_seq: middle,
    },
    {
      name: `all from entry ${middle} on cut off`,
      sql: [`delete from audit_events where seq >= ${middle}`],
      first_bad_seq: middle,
    },
    { name: 'an entry added at the end', sql: [forged(entries, entries + 1)], first_bad_seq: entries + 1 },
    {
      name: 'another hash in the head',
      sql: [`update audit_head set hash = (select hash from audit_events where seq = ${middle})`],
      first_bad_seq: entries,
    },
    {
      name: `all from entry ${middle} on cut off, the head too`,
      sql: [
        `delete from audit_events where seq >= ${middle}`,
        `update audit_head set seq = ${middle - 1}, hash = (select hash from audit_events where seq = ${middle - 1})`,
      ],
      first_bad_seq: null,
    },
  ];
}
