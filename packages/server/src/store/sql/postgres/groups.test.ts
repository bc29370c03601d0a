import pg from 'pg';
import { describe, expect, inject, it, vi } from 'vitest';
import { verifyChain } from '#services/verify-chain';
import type { Store, Transaction } from '#store/store';
import { anEvent, anExchange, anId, aRecord, settle } from '#store/testing/contract/fixture';
import { aChange } from '#store/testing/contract/tracker-fixture';
import { openPostgresStore } from './open-postgres-store.ts';

// By the database itself: each statement that adds rows to a table is one row here.
const COUNT = `
create table seen_inserts (name text);
create function see_insert() returns trigger language plpgsql as $$
begin
  insert into seen_inserts values (tg_table_name);
  return null;
end $$;
${['answers', 'messages', 'audit_events', 'events', 'outbox']
  .map((name) => `create trigger seen after insert on ${name} for each statement execute function see_insert();`)
  .join('')}`;

/** A store on a database of its own, with another client of that. */
async function aStore() {
  const server = inject('postgresUrl');
  const name = `groups_${process.pid}_${anId().slice(-12)}`;
  const clientOf = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client(url);
    await client.connect();
    return client;
  };
  const owner = await clientOf(server);
  await owner.query(`create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const store = await openPostgresStore({ url, ids: anId });
  const { user } = await settle(store);
  const client = await clientOf(url);
  return {
    store,
    user,
    client,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await client.end();
      await owner.query(`drop database ${name} with (force)`);
      await owner.end();
    },
  };
}

type Here = Awaited<ReturnType<typeof aStore>>;

const LANE = 'lane-1';

/** A transaction that leaves one of everything, once for its key. */
const call = ({ store, user }: Pick<Here, 'store' | 'user'>, key: string, extra?: (tx: Transaction) => Promise<void>) =>
  store.transaction(
    async (tx) => {
      const seen = await tx.idempotency.find('agent-1', key);
      if (seen !== null) return `again ${key}`;
      await tx.idempotency.put(aRecord(tx.now, { key }));
      await extra?.(tx);
      tx.record(anEvent(user, { action: key }));
      tx.emit(aChange(user, { kind: LANE, entity_id: key }));
      tx.say(anExchange(user, key));
      return `done ${key}`;
    },
    { lane: LANE, key: { principal_id: 'agent-1', key }, user: user.id },
  );

const namesIn = async ({ reads }: Store): Promise<readonly (string | null)[]> =>
  (await reads.events.page({ after: 0, limit: 100 })).map(({ entity_id }) => entity_id);

const KEYS = Array.from({ length: 20 }, (_, i) => `key-${i}`);

/** Writes a claim of a task that does not exist, and does not wait for the answer. */
const breakRule = (tx: Transaction): Promise<void> =>
  tx.board.putClaim({
    work_item_id: anId(),
    epoch: 1,
    principal_id: null,
    user_id: null,
    agent_id: null,
    claimed_at: 1,
    lease_until: 1,
  });

describe('a group of calls in lanes', () => {
  it('writes the rows of all its calls with one statement for each table, and leaves nothing to move', async () => {
    await using here = await aStore();
    await here.client.query(COUNT);

    const answers = await Promise.all(KEYS.map((key) => call(here, key)));

    expect(answers).toEqual(KEYS.map((key) => `done ${key}`));
    expect(await namesIn(here.store)).toEqual(KEYS);
    const { rows } = await here.client.query('select name, count(*)::int as n from seen_inserts group by 1 order by 1');
    expect(rows).toEqual(['answers', 'audit_events', 'events', 'messages'].map((name) => ({ name, n: 1 })));
  });

  it('sends four statements before the work of a call that is alone, and eight with it', async () => {
    await using here = await aStore();
    await call(here, 'warm');
    using sent = vi.spyOn(pg.Client.prototype, 'query');

    let before = 0;
    const texts = (): readonly string[] => {
      const asked = sent.mock.calls.map(([config], i) => ({ client: sent.mock.contexts[i], ...Object(config) }));
      const writer = asked.find(({ text }) => String(text).startsWith('begin'))?.client;
      return asked.filter(({ client }) => client === writer).map(({ text }) => String(text));
    };
    await call(here, 'counted', async () => {
      before = texts().length;
    });

    expect(texts().at(-1)).toBe('commit');
    expect([before, texts().length - before]).toEqual([4, 8]);
  });

  it('finds under a key what an earlier call of the group has written', async () => {
    await using here = await aStore();

    const answers = await Promise.all(['key-1', 'key-1', 'key-2', 'key-1'].map((key) => call(here, key)));
    const later = await call(here, 'key-2');

    expect(answers).toEqual(['done key-1', 'again key-1', 'done key-2', 'again key-1']);
    expect(later).toBe('again key-2');
  });

  it('runs a call under a key that has expired', async () => {
    await using here = await aStore();
    await call(here, 'key-1');
    await here.client.query('update answers set expires_at = 5');

    expect(await call(here, 'key-1')).toBe('done key-1');
  });

  it('is not answered as done when a write fails that the commit was sent behind', async () => {
    await using here = await aStore();

    const broken = here.store.transaction(breakRule, { lane: LANE });

    await expect(broken).rejects.toMatchObject({ code: 'conflict' });
    expect(await call(here, 'key-1')).toBe('done key-1');
  });

  it('is taken back when its key is in use, also if it goes on after it was refused', async () => {
    await using here = await aStore();
    await call(here, 'key-1');

    const second = here.store.transaction(
      async (tx) => {
        await tx.settings.put('colour', 'red');
        await tx.idempotency.put(aRecord(tx.now, { key: 'key-1' }));
        // Its answer comes after that of the key.
        await tx.settings.get('colour');
        await tx.settings.get('colour');
      },
      { lane: LANE },
    );

    await expect(second).rejects.toMatchObject({ code: 'conflict' });
    expect(await here.store.reads.settings.get('colour')).toBeNull();
  });

  it('takes the right to give places with its locks when it has one call, and no company before it', async () => {
    await using here = await aStore();
    const others = { taken: [] as boolean[] };
    const look = async (): Promise<void> => {
      const { rowCount } = await here.client.query('select seq from event_head for update skip locked');
      others.taken.push(rowCount === 0);
    };

    await call(here, 'alone', look);
    await Promise.all(KEYS.map((key) => call(here, key)));
    await call(here, 'after company', look);
    await call(here, 'alone again', look);

    expect(others.taken).toEqual([true, false, true]);
    expect(await namesIn(here.store)).toHaveLength(KEYS.length + 3);
    expect(await verifyChain(here.store.reads.audit, null)).toMatchObject({ entries: KEYS.length + 3, problem: null });
  });

  it('takes back one call that breaks a rule, and keeps what the others wrote', async () => {
    await using here = await aStore();
    const ends = await Promise.allSettled(KEYS.map((key, i) => call(here, key, i === 7 ? breakRule : undefined)));

    expect(ends.map(({ status }) => status)).toEqual(KEYS.map((_, i) => (i === 7 ? 'rejected' : 'fulfilled')));
    expect(await namesIn(here.store)).toEqual(KEYS.filter((_, i) => i !== 7));
    expect(await verifyChain(here.store.reads.audit, null)).toMatchObject({ entries: 19, problem: null });
  });
});

describe('what writers in lanes leave', () => {
  it('waits for nobody who gives places, and gets its own soon after', async () => {
    await using here = await aStore();
    await call(here, 'before');
    await here.client.query('begin');
    await here.client.query('select seq from event_head for update');

    await call(here, 'one');
    await call(here, 'two');
    const meanwhile = await namesIn(here.store);
    await here.client.query('commit');

    expect(meanwhile).toEqual(['before']);
    await vi.waitFor(async () => expect(await namesIn(here.store)).toEqual(['before', 'one', 'two']));
    await call(here, 'after');
    expect(await namesIn(here.store)).toEqual(['before', 'one', 'two', 'after']);
    expect(await verifyChain(here.store.reads.audit, null)).toMatchObject({ entries: 4, problem: null });
  });

  it('comes before what a later writer leaves or gives its place', async () => {
    await using here = await aStore();
    const { user } = here;
    const left = {
      entries: [anEvent(user, { action: 'left' })],
      events: [aChange(user, { kind: LANE, entity_id: 'left' })],
    };
    await here.client.query('insert into outbox (at, body) values (5, $1)', [JSON.stringify(left)]);

    await call(here, 'later');

    // The regular look of the store may give places at this moment: then the writer leaves its own.
    await vi.waitFor(async () => expect(await namesIn(here.store)).toHaveLength(2));
    expect(await namesIn(here.store)).toEqual(['left', 'later']);
    expect((await here.store.reads.audit.page(0, 10)).map(({ action }) => action)).toEqual(['left', 'later']);
  });
});
