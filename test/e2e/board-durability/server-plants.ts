import type { Edit } from './plants.ts';

type Plants = Readonly<Record<string, readonly Edit[]>>;

/** Faults that the search for an order of claims must find. */
export const CLAIM_PLANTS = {
  /** Hands a named task to everyone who asks. */
  'a claim without its guard': [
    {
      file: 'services/board/next-task.ts',
      is: "if (isReady(row, tx.now) || (isOwn && row.state_group === 'started')) return row;",
      becomes: 'if (isOwn || row !== undefined) return row;',
    },
  ],

  /** Accepts any epoch of the one who holds the task. */
  'an epoch that is not compared': [
    {
      file: 'services/board/claims.ts',
      is: '!(isOwn && held?.epoch === epoch)',
      becomes: '!isOwn',
    },
  ],

  /** Lets servers claim beside each other. */
  'no lock against other servers': [
    {
      file: 'store/sql/postgres/postgres-writer.ts',
      is: 'select pg_advisory_xact_lock(',
      becomes: 'select pg_advisory_xact_lock_shared(',
    },
  ],
} as const satisfies Plants;

/** What the fault "numbered before the commit" needs in the database: numbers that are given at once, by one at a time. */
export const EARLY_NUMBERS = `
  create sequence early_numbers;
  create function early_number(count bigint) returns bigint language plpgsql as $$
    declare
      last bigint;
    begin
      perform pg_advisory_lock(1);
      select setval('early_numbers', greatest(nextval('early_numbers'), (select seq + 1 from event_head)) + count - 1)
        into last;
      perform pg_advisory_unlock(1);
      return last;
    end
  $$`;

/** Leaves everything to the mover: a server that is not busy gives most places by itself, where these faults are not. */
const ALL_LEFT: Edit = {
  file: 'store/sql/postgres/leave-journal.ts',
  is: 'const placed = await placeNow(session, { entries, events });',
  becomes: 'const placed = null;',
};

/** Faults that listeners must notice. */
export const REPLAY_PLANTS = {
  /** Gives what was left its place in any order but that of the commits. */
  'moved in the wrong order': [
    {
      file: 'store/sql/repositories/outbox.ts',
      is: 'from outbox order by id limit',
      becomes: 'from outbox order by id desc limit',
    },
    ALL_LEFT,
  ],

  /** Gives events of lanes their numbers while their commits may still overtake each other. */
  'numbered before the commit': [
    {
      file: 'store/sql/repositories/events.ts',
      is: 'numberChanges(session, (await session.get(head, {}))?.seq ?? null, events);',
      becomes: `appendEarly(session, events);
const takeEarly = statement<{ readonly count: number }, Seq>(\`
  with taken as (select early_number(:count) as last)
  update event_head set seq = greatest(seq, taken.last) from taken returning taken.last as seq\`);
async function appendEarly(session: WriteSession, events: readonly TimedEvent[]): Promise<number> {
  const last = (await session.returning(takeEarly, { count: events.length }))?.seq ?? 0;
  await insertFrom(session, last - events.length + 1, events);
  return last;
}`,
    },
    {
      file: 'store/sql/postgres/leave-journal.ts',
      is: 'const placed = await placeNow(session, { entries, events });',
      becomes:
        'if (events.length > 0) await early(session, events.map((draft) => ({ draft, at: session.now })));\n  const placed = await placeNow(session, { entries, events: [] });',
    },
    {
      file: 'store/sql/postgres/leave-journal.ts',
      is: 'await leave(session, { entries, events });',
      becomes: 'await leave(session, { entries, events: [] });',
    },
    {
      file: 'store/sql/postgres/leave-journal.ts',
      is: 'import { appendMessages }',
      becomes: "import { appendChanges as early } from '#store/sql/repositories/events';\nimport { appendMessages }",
    },
  ],

  /** Leaves a row that has been moved, so that it is moved again. */
  'a row that was moved stays': [
    {
      file: 'store/sql/repositories/outbox.ts',
      is: 'JSON.stringify(rows.map(({ id }) => id))',
      becomes: 'JSON.stringify(rows.slice(1).map(({ id }) => id))',
    },
    ALL_LEFT,
  ],
} as const satisfies Plants;

/** Faults that requests with an ended token must find on PostgreSQL. */
export const ACCESS_PLANTS = {
  /** Presents kept tokens without a look at the number of changes. */
  'changes of other servers are not looked at': [
    {
      file: 'store/sql/postgres/token-cache.ts',
      is: 'const seen = await current();',
      becomes: 'const seen = last ?? (await current());',
    },
  ],
} as const satisfies Plants;

/** The same on SQLite. */
export const FILE_ACCESS_PLANTS = {
  /** Presents kept tokens without a look at the version of the file. */
  'changes of the file are not looked at': [
    { file: 'store/sql/sqlite/token-cache.ts', is: '      version.now();\n', becomes: '' },
  ],
} as const satisfies Plants;

/** Faults that kills must find in the audit trail. */
export const TRAIL_PLANTS = {
  /** Leaves entries with the next group, as if a trail could be written later. */
  'entries are written later': [
    {
      file: 'store/sql/postgres/leave-journal.ts',
      is: '  const placed = await placeNow(',
      becomes: '  entries = late.splice(0, late.length, ...entries);\n  const placed = await placeNow(',
    },
    {
      file: 'store/sql/postgres/leave-journal.ts',
      is: 'export const createLeaveJournal',
      becomes: "const late: JournalDrafts['entries'][number][] = [];\nexport const createLeaveJournal",
    },
  ],
} as const satisfies Plants;

/** Faults of the verification that tampering must find. */
export const VERIFY_PLANTS = {
  /** Compares the links only. */
  'the hash of an entry is not computed': [
    {
      file: 'services/verify-chain.ts',
      is: 'event.prev_hash === last.hash && isSound(event);',
      becomes: 'event.prev_hash === last.hash;',
    },
  ],

  /** Does not ask where the trail ended. */
  'the head is not compared': [
    {
      file: 'services/verify-chain.ts',
      is: 'for (const head of [start, noted])',
      becomes: 'for (const head of [noted])',
    },
  ],
} as const satisfies Plants;
