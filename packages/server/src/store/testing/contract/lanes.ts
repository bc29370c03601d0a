import { hash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { auditText, GENESIS_HASH } from '#domain/audit';
import type { WorkItemId } from '#domain/ids';
import { NotInLane } from '#domain/lane';
import type { User } from '#domain/user';
import type { Store } from '#store/store';
import {
  anEvent,
  anExchange,
  anId,
  aRecord,
  aToken,
  conversationsOf,
  EVERYTHING,
  type OpenFixture,
  settle,
} from './fixture.ts';
import { aChange } from './tracker-fixture.ts';

const LANES = ['lane-1', 'lane-2', 'lane-3'] as const;
const TURNS = 20;
const NOBODY = { principal_id: null, user_id: null, agent_id: null, claimed_at: 1, lease_until: 1 };

/** The store, and another one on the same data where there can be one. */
async function pair(fixture: Awaited<ReturnType<OpenFixture>>) {
  const { store, beside } = fixture;
  const other = 'gap' in beside ? null : await beside();
  return {
    stores: other === null ? [store, store] : [store, other],
    [Symbol.asyncDispose]: async () => void (await other?.close()),
  };
}

const increment = (store: Store, lane: string): Promise<void> =>
  store.transaction(
    async (tx) => {
      const before = Number((await tx.settings.get(lane)) ?? 0);
      await tx.settings.put(lane, String(before + 1));
    },
    { lane },
  );

/** Reads all counters twice, as a writer who is alone. */
const look = (store: Store): Promise<readonly string[]> =>
  store.transaction(async (tx) => {
    const sums: string[] = [];
    for (let i = 0; i < 2; i++) {
      const counts: (string | null)[] = [];
      for (const lane of LANES) counts.push(await tx.settings.get(lane));
      sums.push(counts.join());
    }
    return sums;
  });

/** What a lane writes in its nth turn: an audit entry and an event that name both. */
const leave = (store: Store, user: User, lane: string, turn: number): Promise<void> =>
  store.transaction(
    async (tx) => {
      await tx.settings.put(lane, String(turn));
      tx.record(anEvent(user, { action: lane, entity_id: String(turn) }));
      tx.emit(aChange(user, { kind: lane, entity_id: String(turn) }));
    },
    { lane },
  );

const turnsOf = <Row extends { readonly entity_id: string | null }>(rows: readonly Row[], lane: (row: Row) => string) =>
  LANES.map((name) => rows.filter((row) => lane(row) === name).map(({ entity_id }) => Number(entity_id)));

const EVERY_TURN = LANES.map(() => Array.from({ length: TURNS }, (_, turn) => turn));

/** Each lane is written by both stores in turns, all lanes at once. */
const leaveAll = (stores: readonly Store[], user: User): Promise<unknown> =>
  Promise.all(
    LANES.map(async (lane) => {
      for (let turn = 0; turn < TURNS; turn++) await leave(stores[turn % stores.length] as Store, user, lane, turn);
    }),
  );

/** Transactions that name the project that they are confined to. */
export function describeLanes(open: OpenFixture): void {
  it('[1.6] loses no change when two processes write in the same lanes at once, beside one that writes alone', async () => {
    await using fixture = await open();
    await using both = await pair(fixture);
    const seen: (readonly string[])[] = [];

    await Promise.all(
      both.stores.flatMap((store) => [
        ...LANES.map(async (lane) => {
          for (let i = 0; i < TURNS; i++) await Promise.all([increment(store, lane), increment(store, lane)]);
        }),
        (async () => {
          for (let i = 0; i < TURNS; i++) seen.push(await look(store));
        })(),
      ]),
    );

    for (const lane of LANES) expect(await fixture.store.reads.settings.get(lane)).toBe(String(4 * TURNS));
    for (const [first, second] of seen) expect(second).toBe(first);
  });

  it('[1.7] takes back a transaction of a lane that fails, and keeps the others', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    const write = (lane: string, name: string, fails: boolean) =>
      store.transaction(
        async (tx) => {
          await tx.settings.put(name, 'written');
          tx.record(anEvent(user, { action: name }));
          if (fails) throw new Error(`${name} fails`);
        },
        { lane },
      );

    const done = await Promise.allSettled([
      write('lane-1', 'a', false),
      write('lane-1', 'b', true),
      write('lane-2', 'c', false),
      store.transaction(() => Promise.reject(new Error('before it wrote')), { lane: 'lane-2' }),
      write('lane-3', 'd', true),
    ]);

    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected']);
    expect(done[1]).toMatchObject({ reason: { message: 'b fails' } });
    const kept = await Promise.all(['a', 'b', 'c', 'd'].map((name) => store.reads.settings.get(name)));
    expect(kept).toEqual(['written', null, 'written', null]);
    const actions = (await store.reads.audit.page(0, 10)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(['a', 'c']);
  });

  it('[1.7] answers a transaction that only reads, whatever fails in another lane of its commit', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const read = (lane: string) =>
      store.transaction(
        async (tx) => {
          for (let i = 0; i < 10; i++) await tx.settings.get(lane);
          return lane;
        },
        { lane },
      );
    // There is no such item.
    const claim = { work_item_id: anId<WorkItemId>(), epoch: 1, ...NOBODY };

    const done = await Promise.allSettled([
      read('lane-1'),
      store.transaction((tx) => tx.board.putClaim(claim), { lane: 'lane-2' }),
      read('lane-3'),
    ]);

    expect(done).toMatchObject([
      { status: 'fulfilled', value: 'lane-1' },
      { status: 'rejected', reason: { code: 'conflict' } },
      { status: 'fulfilled', value: 'lane-3' },
    ]);
  });

  it('[1.7] refuses to change what lanes share, where they run at once', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    const insert = store.transaction((tx) => tx.tokens.insert(aToken(user)), { lane: 'lane-1' });

    if (store.has_lanes) await expect(insert).rejects.toThrow(NotInLane);
    else await expect(insert).resolves.toBeUndefined();
  });

  it('[7.4] does one of the calls with one key, and gives the others its answer', async () => {
    await using fixture = await open();
    await using both = await pair(fixture);
    const once = (store: Store, lane: string, key: string) =>
      store.transaction(
        async (tx) => {
          const seen = await tx.idempotency.find('agent-1', key);
          if (seen !== null) return seen.result;
          await tx.settings.put(`${lane} ${key}`, 'done');
          await tx.idempotency.put(aRecord(tx.now, { key, result: lane }));
          return lane;
        },
        // Known before the transaction, or not.
        key.endsWith('ahead') ? { lane, key: { principal_id: 'agent-1', key } } : { lane },
      );

    for (let i = 0; i < TURNS; i++) {
      const key = `key-${i}${i % 2 === 0 ? '' : '-ahead'}`;
      const twice = both.stores.flatMap((store) => [...LANES, ...LANES].map((lane) => once(store, lane, key)));
      const answers = await Promise.all(twice);

      const [first] = answers;
      expect(new Set(answers)).toEqual(new Set([first]));
      const done = await Promise.all(LANES.map((lane) => fixture.store.reads.settings.get(`${lane} ${key}`)));
      expect(done).toEqual(LANES.map((lane) => (lane === first ? 'done' : null)));
    }
  });

  it('[8.8] opens one conversation for a user whom several lanes write to at once', async () => {
    await using fixture = await open();
    await using both = await pair(fixture);
    const say = (store: Store, lane: string, user: User) =>
      store.transaction(
        async (tx) => {
          await tx.settings.get(lane);
          tx.say(anExchange(user, `from ${lane}`));
        },
        { lane },
      );

    for (let i = 0; i < TURNS; i++) {
      const { user } = await settle(fixture.store);
      // Different ones: writers of the same lane would follow each other anyway.
      const saying = both.stores.flatMap((store, at) => LANES.map((lane) => say(store, `${lane} of ${at}`, user)));
      await Promise.all(saying);

      const conversations = await conversationsOf(fixture.store, user);
      expect(conversations.map((messages) => messages.length)).toEqual([2 * LANES.length]);
    }
  });

  it('[8.9] chains every entry of lanes for the next reader, in the order of their commits', async () => {
    await using fixture = await open();
    await using both = await pair(fixture);
    const { user } = await settle(fixture.store);

    await leaveAll(both.stores, user);
    await fixture.store.transaction(async (tx) => tx.record(anEvent(user, { action: 'alone' })));

    const entries = await fixture.store.reads.audit.page(0, 1_000);
    expect(turnsOf(entries, ({ action }) => action)).toEqual(EVERY_TURN);
    expect(entries.at(-1)).toMatchObject({ action: 'alone', seq: LANES.length * TURNS + 1 });
    const end = entries.reduce(
      (last, { hash: own, ...entry }) => {
        expect([entry.seq, entry.prev_hash]).toEqual([last.seq + 1, last.hash]);
        expect(own).toBe(hash('sha256', auditText(entry), 'hex'));
        return { seq: entry.seq, hash: own };
      },
      { seq: 0, hash: GENESIS_HASH },
    );
    expect(await fixture.store.reads.audit.head()).toEqual(end);
  });

  it('[13.5] numbers every change of lanes once, those of one lane in the order of their commits', async () => {
    await using fixture = await open();
    await using both = await pair(fixture);
    const { user } = await settle(fixture.store);

    await leaveAll(both.stores, user);

    const { events } = fixture.store.reads;
    await vi.waitFor(async () => expect(await events.head()).toBe(LANES.length * TURNS));
    const read = await events.page({ after: 0, limit: 1_000 });
    expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: LANES.length * TURNS }, (_, i) => i + 1));
    expect(turnsOf(read, ({ kind }) => kind)).toEqual(EVERY_TURN);
  });

  it('[13.5] numbers what a lane has changed before what a writer changes who is alone', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);

    for (let turn = 0; turn < TURNS; turn++) {
      await leave(store, user, 'lane-1', turn);
      await store.transaction(async (tx) => tx.emit(aChange(user, { kind: 'alone', entity_id: String(turn) })));
    }

    const read = await store.reads.events.page({ after: 0, limit: 1_000 });
    expect(read.map(({ kind, entity_id }) => `${kind} ${entity_id}`)).toEqual(
      Array.from({ length: TURNS }, (_, turn) => [`lane-1 ${turn}`, `alone ${turn}`]).flat(),
    );
  });

  it('[8.3] writes what is said later while lanes are at work', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);

    store.sayLater(anExchange(user, 'read'));
    await increment(store, anId());

    await vi.waitFor(async () => {
      const [conversation] = await store.reads.conversations.list(user.id, EVERYTHING);
      expect(conversation).toBeDefined();
    });
  });
}
