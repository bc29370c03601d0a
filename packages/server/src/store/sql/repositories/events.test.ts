import { describe, expect, inject, it } from 'vitest';
import { UnreadableEvent } from '#domain/event';
import type { Store } from '#store/store';
import { anEvent, settle } from '#store/testing/contract/fixture';
import { aChange } from '#store/testing/contract/tracker-fixture';
import { openPostgresTrail, openSqliteTrail } from '#testing/open-trail';

const DAMAGED = [
  ...['{"kind":', 'null', '7', '[]', '{}', '{"kind":"step.created"}', '{"kind":1,"audience":{}}'].map(
    (body) => `shape = null, body = '${body}'`,
  ),
  'shape = 99',
  'ids = null',
  "rest = '{'",
];

const DATABASES = [
  ['SQLite', openSqliteTrail],
  ['PostgreSQL', () => openPostgresTrail(inject('postgresUrl'))],
] as const;

async function emit(store: Store, count: number): Promise<void> {
  const { user } = await settle(store);
  await store.transaction(async (tx) => {
    for (let i = 0; i < count; i++) tx.emit(aChange(user));
  });
}

const seqs = async (store: Store, after: number) =>
  (await store.reads.events.page({ after, limit: 10 })).map(({ seq }) => seq);

describe.each(DATABASES)('changes in a damaged %s', (_, open) => {
  it('are sent up to an unreadable one, which is named, and after it', async () => {
    await using database = await open();
    const { store, sql } = database;
    await emit(store, 2 * DAMAGED.length + 1);
    for (const [i, damage] of DAMAGED.entries()) await sql(`update events set ${damage} where seq = ${2 * i + 2}`);

    const readable = await Promise.all(DAMAGED.map((_, i) => seqs(store, 2 * i)));
    const damaged = await Promise.allSettled(DAMAGED.map((_, i) => seqs(store, 2 * i + 1)));

    expect(readable).toEqual(DAMAGED.map((_, i) => [2 * i + 1]));
    expect(damaged).toEqual(DAMAGED.map((_, i) => ({ status: 'rejected', reason: new UnreadableEvent(2 * i + 2) })));
  });

  it('are refused with a message when the counter row is gone, and nothing else is', async () => {
    await using database = await open();
    const { store, sql } = database;
    const { user } = await settle(store);
    await sql('delete from event_head');

    const emitting = store.transaction(async (tx) => {
      await tx.settings.put('colour', 'red');
      tx.emit(aChange(user));
    });
    const recording = store.transaction(async (tx) => tx.record(anEvent(user)));

    await expect(emitting).rejects.toThrow('The row that numbers are counted in is missing');
    await recording;
    expect(await store.reads.settings.get('colour')).toBeNull();
  });
});
