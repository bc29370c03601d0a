import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { AuditEvent } from '#domain/audit';
import { isUuid } from '#domain/bytes';
import {
  type Form,
  type OpenTrail,
  openPostgresTrail,
  openSqliteTrail,
  rechained,
  rewrite,
  sealed,
  type Trail,
  writeTrail,
} from '#testing/open-trail';
import { verifyChain } from './verify-chain.ts';

const ENTRIES = 9;
const FIRST = 1;
const MIDDLE = 5;

const at = (events: readonly AuditEvent[], seq: number): AuditEvent => {
  const event = events[seq - 1];
  if (event === undefined) throw new Error(`no entry ${seq}`);
  return event;
};

const OTHER: Readonly<Record<keyof AuditEvent, string | number | null>> = {
  seq: 99,
  at: 7,
  workspace_id: 'x',
  actor_kind: 'x',
  user_id: 'x',
  agent_id: null,
  token_id: 'x',
  action: 'x',
  outcome: 'denied',
  entity: null,
  entity_id: 'x',
  idempotency_key: 'x',
  correlation_id: 'x',
  before_digest: 'x',
  after_digest: null,
  instruction_ref: '',
  reason: 'x',
  repeats: 7,
  prev_hash: 'x',
  hash: 'x',
};

type Tamper = (trail: Trail) => Trail;

const changed =
  (seq: number, mend: (event: AuditEvent) => AuditEvent): Tamper =>
  ({ events, head }) => ({ events: events.with(seq - 1, mend(at(events, seq))), head });

const deleted =
  (seq: number): Tamper =>
  ({ events, head }) => ({ events: events.toSpliced(seq - 1, 1), head });

const renumbered =
  (tamper: Tamper): Tamper =>
  (trail) => {
    const { events, head } = tamper(trail);
    return { events: events.map((event, index) => ({ ...event, seq: index + 1 })), head };
  };

/** Inserts a forged entry at this place, chained to the one before it; those after it move up by one. */
const inserted =
  (seq: number): Tamper =>
  ({ events, head }) => {
    const prev_hash = seq === 1 ? at(events, 1).prev_hash : at(events, seq - 1).hash;
    const forged = sealed({ ...at(events, MIDDLE), entity_id: 'forged', seq, prev_hash });
    return renumbered(() => ({ events: events.toSpliced(seq - 1, 0, forged), head }))({ events, head });
  };

const added =
  (seq: number): Tamper =>
  ({ events, head }) => ({ events: [...events, sealed({ ...at(events, ENTRIES), seq })], head });

const swapped =
  (a: number, b: number): Tamper =>
  ({ events, head }) => ({
    events: events.with(a - 1, { ...at(events, b), seq: a }).with(b - 1, { ...at(events, a), seq: b }),
    head,
  });

const cut =
  (left: number): Tamper =>
  ({ events, head }) => ({ events: events.slice(0, left), head });

const headed =
  (head: (trail: Trail) => Trail['head']): Tamper =>
  (trail) => ({ events: trail.events, head: head(trail) });

const TAMPERINGS: readonly (readonly [string, number, Tamper])[] = [
  ...[FIRST, MIDDLE, ENTRIES].flatMap((seq): (readonly [string, number, Tamper])[] => [
    [`a change of entry ${seq}`, seq, changed(seq, (event) => ({ ...event, entity_id: 'x' }))],
    [
      `a change of entry ${seq} with a hash that fits`,
      seq,
      changed(seq, (event) => sealed({ ...event, entity_id: 'x' })),
    ],
    [
      `another link of entry ${seq} with a hash that fits`,
      seq,
      changed(seq, (event) => sealed({ ...event, prev_hash: 'f'.repeat(64) })),
    ],
    [`the deletion of entry ${seq}`, seq, deleted(seq)],
    [`the deletion of entry ${seq} with the rest moved down`, seq, renumbered(deleted(seq))],
    [`a forged entry ${seq} with the rest moved up`, seq, inserted(seq)],
  ]),
  ...(Object.keys(OTHER) as (keyof AuditEvent)[])
    .filter((field) => field !== 'seq')
    .map((field): readonly [string, number, Tamper] => [
      `a change of ${field}`,
      MIDDLE,
      changed(MIDDLE, (event) => ({ ...event, [field]: OTHER[field] })),
    ]),
  ['a forged entry at the end', ENTRIES + 1, inserted(ENTRIES + 1)],
  ['a forged entry far behind the end', 1_000, added(1_000)],
  ['a forged entry before the first', 0, added(0)],
  ['a forged entry far before the first', -1_000, added(-1_000)],
  ['two neighbours that changed places', MIDDLE, swapped(MIDDLE, MIDDLE + 1)],
  ['the first two that changed places', FIRST, swapped(FIRST, FIRST + 1)],
  ['the last two that changed places', ENTRIES - 1, swapped(ENTRIES - 1, ENTRIES)],
  ['the first and the last that changed places', FIRST, swapped(FIRST, ENTRIES)],
  [
    'a forgery without a flaw but that a number is left out',
    MIDDLE,
    ({ events }) => rechained(events.toSpliced(MIDDLE - 1, 1)),
  ],
  ['the last entry cut off', ENTRIES, cut(ENTRIES - 1)],
  ['a tail cut off', MIDDLE, cut(MIDDLE - 1)],
  ['everything cut off', FIRST, cut(0)],
  ['a head with another hash', ENTRIES, headed(() => ({ seq: ENTRIES, hash: 'f'.repeat(64) }))],
  ['a head that is further on', ENTRIES + 1, headed(() => ({ seq: ENTRIES + 3, hash: 'f'.repeat(64) }))],
  ['a head that was put back', ENTRIES - 1, headed(({ events }) => at(events, ENTRIES - 2))],
  [
    'a trail that was rewritten under its head',
    ENTRIES,
    ({ events, head }) => ({ ...rechained(events.with(0, { ...at(events, 1), action: 'x' })), head }),
  ],
];

const onPostgres = (): Promise<OpenTrail> => openPostgresTrail(inject('postgresUrl'));

const BACKENDS: readonly (readonly [string, Form, () => Promise<OpenTrail>])[] = [
  ['sqlite', 'whole', openSqliteTrail],
  ['sqlite', 'short', openSqliteTrail],
  ['sqlite', 'mixed', openSqliteTrail],
  ['postgres', 'whole', onPostgres],
  ['postgres', 'mixed', onPostgres],
];

describe.each(BACKENDS)('the audit trail in %s, with %s rows', (_, form, open) => {
  let database: OpenTrail;
  let trail: Trail;
  const tamper = (how: Tamper): Promise<void> => rewrite(database, how(trail));
  const verify = (noted: Trail['head'] = null) => verifyChain(database.store.reads.audit, noted);

  beforeAll(async () => {
    database = await open();
    trail = await writeTrail(database, ENTRIES, form);
  });
  beforeEach(() => rewrite(database, trail));
  afterAll(() => database[Symbol.asyncDispose]());

  it('is correct when it was not changed, and names its head', async () => {
    expect(await verify()).toEqual({ entries: ENTRIES, first_bad_seq: null, problem: null, head: trail.head });
  });

  it.each(TAMPERINGS)('shows %s, and where', async (_name, seq, how) => {
    await tamper(how);

    const found = await verify();

    expect(found).toMatchObject({ first_bad_seq: seq, head: null, problem: expect.stringContaining(`entry ${seq}`) });
  });

  it.runIf(form !== 'whole')('shows a change of who did what in the first entry that says so', async () => {
    const first = trail.events.find(({ correlation_id }) => isUuid(correlation_id))?.seq;
    for (const change of [
      "update audit_actors set user_id = 'x'",
      "update audit_actions set action = 'x'",
      'delete from audit_actors',
      'delete from audit_actions',
    ]) {
      await rewrite(database, trail);
      await database.sql(change);

      expect(await verify()).toMatchObject({ first_bad_seq: first });
    }
  });

  it('shows a removed head, and also a bad entry', async () => {
    await tamper(headed(() => null));
    const removed = await verify();
    await tamper((whole) => ({ ...deleted(MIDDLE)(whole), head: null }));
    const both = await verify();

    expect(removed).toMatchObject({ entries: ENTRIES, first_bad_seq: null, problem: expect.stringContaining('head') });
    expect(both).toMatchObject({ first_bad_seq: MIDDLE });
  });

  it('shows numbers that are too large for programs', async () => {
    const update = (text: string) =>
      database.sql(['audit_events', 'audit_entries'].map((table) => `update ${table} set ${text}`).join(';'));
    await update(`at = 4611686018427387904 where seq = ${MIDDLE}`);
    const late = await verify();
    await rewrite(database, trail);
    await update(`seq = 4611686018427387904 where seq = ${ENTRIES}`);
    const far = await verify();
    await rewrite(database, trail);
    await database.sql('update audit_head set seq = 4611686018427387904');
    const head = await verify();

    expect([late, far, head].map(({ first_bad_seq }) => first_bad_seq)).toEqual([MIDDLE, ENTRIES, ENTRIES + 1]);
  });

  it('holds every head that was noted before', async () => {
    const found = await Promise.all(trail.events.map(({ seq, hash }) => verify({ seq, hash })));

    expect(found.map(({ problem }) => problem)).toEqual(trail.events.map(() => null));
  });

  it('shows by a noted head that it was rewritten as a whole', async () => {
    await tamper(({ events }) => rechained(events.with(2, { ...at(events, 3), outcome: 'denied' })));

    const alone = await verify();
    const [before, after] = [await verify(at(trail.events, 2)), await verify(at(trail.events, MIDDLE))];

    expect([alone.problem, before.problem]).toEqual([null, null]);
    expect(after).toMatchObject({ first_bad_seq: MIDDLE, problem: expect.stringContaining('noted') });
  });

  it('shows by a noted head that it was cut together with its head', async () => {
    await tamper(({ events }) => rechained(events.slice(0, MIDDLE)));

    const alone = await verify();
    const noted = await verify(trail.head);

    expect(alone.problem).toBeNull();
    expect(noted).toMatchObject({ entries: MIDDLE, first_bad_seq: MIDDLE + 1 });
  });

  it('stays correct while entries are added', async () => {
    const record = () =>
      database.store.transaction(async (tx) => tx.record({ ...at(trail.events, 1), entity_id: 'later' }));

    const [found] = await Promise.all([verify(), record(), record(), record()]);

    expect(found.problem).toBeNull();
    expect(await verify()).toMatchObject({ entries: ENTRIES + 3, problem: null });
  });
});
