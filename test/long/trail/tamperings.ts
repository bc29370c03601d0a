/** A change of the trail by somebody who can write to the database, and the entry that verification must name. */
export interface Tampering {
  readonly name: string;
  readonly sql: readonly string[];
  /** Null when nothing can be noticed without a noted head. */
  readonly first_bad_seq: number | null;
}

const COLUMNS = [
  ...['entity_id', 'idempotency_key', 'correlation_id', 'before_digest', 'after_digest', 'instruction_ref'],
  ...['repeats', 'prev_hash', 'hash'],
].join();
/** An entry is in one of these tables, by whether its ids can be stored as bytes; with the columns that the other lacks. */
const OWN = {
  audit_events: 'workspace_id, actor_kind, user_id, agent_id, token_id, action, outcome, entity, reason',
  audit_entries: 'actor, act',
} as const;

const TABLES = ['audit_events', 'audit_entries'] as const;

const inBoth = (text: (table: (typeof TABLES)[number]) => string): readonly string[] => TABLES.map(text);

const movedTo = (from: string, to: string): readonly string[] =>
  inBoth((table) => `update ${table} set seq = ${to} where seq = ${from}`);
const forged = (like: number, seq: number): readonly string[] =>
  inBoth(
    (table) => `insert into ${table} (seq, at, ${OWN[table]}, ${COLUMNS})
      select ${seq}, at + 1, ${OWN[table]}, ${COLUMNS} from ${table} where seq = ${like}`,
  );
const deleted = (condition: string): readonly string[] => inBoth((table) => `delete from ${table} where ${condition}`);

/** Another time of a call. */
export const changed = (seq: number): readonly string[] =>
  inBoth((table) => `update ${table} set at = at + 1 where seq = ${seq}`);

/** All of them, at the first entry, one in the middle and the last. */
export function tamperings(entries: number, middle: number): readonly Tampering[] {
  const at = (seq: number): readonly Tampering[] => [
    {
      name: `entry ${seq} changed`,
      sql: changed(seq),
      first_bad_seq: seq,
    },
    { name: `entry ${seq} deleted`, sql: deleted(`seq = ${seq}`), first_bad_seq: seq },
    {
      name: `an entry inserted as ${seq}, the rest moved up`,
      // By way of negative numbers: two entries cannot have one number even for a moment.
      sql: [
        ...inBoth((table) => `update ${table} set seq = -seq where seq >= ${seq}`),
        ...inBoth((table) => `update ${table} set seq = 1 - seq where seq < 0`),
        ...forged(seq + 1, seq),
      ],
      first_bad_seq: seq,
    },
  ];
  return [
    ...[1, middle, entries].flatMap(at),
    {
      name: `entries ${middle} and ${middle + 1} in the other order`,
      sql: [
        ...movedTo(String(middle), '-1'),
        ...movedTo(String(middle + 1), String(middle)),
        ...movedTo('-1', String(middle + 1)),
      ],
      first_bad_seq: middle,
    },
    {
      name: `all from entry ${middle} on cut off`,
      sql: deleted(`seq >= ${middle}`),
      first_bad_seq: middle,
    },
    { name: 'an entry added at the end', sql: forged(entries, entries + 1), first_bad_seq: entries + 1 },
    {
      name: 'another hash in the head',
      sql: [`update audit_head set hash = (select hash from trail where seq = ${middle})`],
      first_bad_seq: entries,
    },
    {
      name: `all from entry ${middle} on cut off, the head too`,
      sql: [
        ...deleted(`seq >= ${middle}`),
        `update audit_head set seq = ${middle - 1}, hash = (select hash from trail where seq = ${middle - 1})`,
      ],
      first_bad_seq: null,
    },
  ];
}
