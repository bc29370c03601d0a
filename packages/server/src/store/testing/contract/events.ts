import { expect, it } from 'vitest';
import type { EventDraft } from '#domain/event';
import type { AgentId, ProjectId, RunId } from '#domain/ids';
import type { Store } from '#store/store';
import { anEvent, anId, type OpenFixture, settle } from './fixture.ts';
import { aChange } from './tracker-fixture.ts';

const ALL = { after: 0, limit: 1_000 };

const emit = (store: Store, ...changes: readonly EventDraft[]): Promise<void> =>
  store.transaction(async (tx) => {
    for (const change of changes) tx.emit(change);
  });

const kindsOf = async (store: Store) => (await store.reads.events.page(ALL)).map(({ seq, kind }) => `${seq} ${kind}`);

/** Changes, numbered over everything that is stored. */
export function describeEvents(open: OpenFixture): void {
  it('[13.1] keeps events as given, numbered from 1 and with the time of the store', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    const full = aChange(user, {
      kind: 'step.updated',
      entity_id: 'step-1',
      execution_id: anId<RunId>(),
      audience: {
        scope: 'issue:read',
        project_id: anId<ProjectId>(),
        user_id: user.id,
        agent_id: anId<AgentId>(),
        service_id: null,
      },
      actor: { user_id: user.id, agent_id: anId<AgentId>() },
      data: { text: 'a "quoted" 👋 \u0000 \\u0000', list: [1, null, { deep: true }] },
    });
    const { head, page } = store.reads.events;
    expect([await head(), await page(ALL)]).toEqual([0, []]);

    const at = await store.transaction(async (tx) => {
      tx.emit(full);
      tx.emit(aChange(user));
      return tx.now;
    });

    const [first, second] = [
      { ...full, seq: 1, at },
      { ...aChange(user), seq: 2, at },
    ];
    expect(await head()).toBe(2);
    expect(await page(ALL)).toEqual([first, second]);
    expect(await page({ after: 0, limit: 1 })).toEqual([first]);
    expect(await page({ after: 1, limit: 1 })).toEqual([second]);
    expect(await page({ after: 2, limit: 1 })).toEqual([]);
  });

  it('[13.1] numbers the events of transactions in one commit in their order, without failed ones', async () => {
    await using fixture = await open();
    const { store, commits } = fixture;
    const { user } = await settle(store);
    const before = commits.length;
    const work = (name: string, fails: boolean) =>
      store.transaction(async (tx) => {
        tx.emit(aChange(user, { kind: `${name}.begun` }));
        await tx.settings.put(name, 'written');
        tx.record(anEvent(user));
        tx.emit(aChange(user, { kind: `${name}.done` }));
        if (fails) throw new Error(`${name} fails`);
      });
    const failsEarly = store.transaction(async (tx) => {
      tx.emit(aChange(user, { kind: 'early' }));
      throw new Error('before it wrote');
    });

    await Promise.allSettled([work('a', false), work('b', true), failsEarly, work('c', false)]);

    expect(await kindsOf(store)).toEqual(['1 a.begun', '2 a.done', '3 c.begun', '4 c.done']);
    expect(await store.reads.events.head()).toBe(4);
    expect(commits.length - before).toBe(1);
  });

  it('[13.2] removes the oldest events before a time, at most as many as asked for, and continues the numbers', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const { user } = await settle(store);
    await emit(store, ...Array.from({ length: 5 }, () => aChange(user, { kind: 'old' })));
    await elapse(60_000);
    await emit(store, aChange(user, { kind: 'new' }));
    const sweep = (age: number) => store.transaction((tx) => tx.events.sweep(tx.now - age, 3));

    expect([await sweep(30_000), await kindsOf(store)]).toEqual([3, ['4 old', '5 old', '6 new']]);
    expect([await sweep(30_000), await kindsOf(store)]).toEqual([2, ['6 new']]);
    expect([await sweep(30_000), await kindsOf(store)]).toEqual([0, ['6 new']]);
    await elapse(30_001);
    expect([await sweep(30_000), await kindsOf(store)]).toEqual([1, []]);
    expect(await store.reads.events.head()).toBe(6);

    await emit(store, aChange(user, { kind: 'newest' }));
    expect(await kindsOf(store)).toEqual(['7 newest']);
  });

  it('[13.2] never removes an event between two others, whatever the clock did', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const { user } = await settle(store);
    await emit(store, aChange(user, { kind: 'before the clock went back' }));
    await elapse(-60_000);
    await emit(store, aChange(user, { kind: 'after it' }));

    await elapse(30_000);
    // A store whose own time does not go back may have written both in this very millisecond.
    expect(await store.transaction((tx) => tx.events.sweep(tx.now + 1, 10))).toBe(2);

    expect(await kindsOf(store)).toEqual([]);
  });

  it('[13.3] shows a reader every event once and in order while several writers run', async () => {
    await using fixture = await open();
    const { store, beside } = fixture;
    await using other = 'gap' in beside ? null : await beside();
    const { user } = await settle(store);
    const each = 60;
    const writeAll = async (at: Store) => {
      for (let i = 0; i < each; i += 3) {
        await Promise.all([emit(at, aChange(user)), emit(at, aChange(user)), emit(at, aChange(user))]);
      }
    };
    const readAll = async (at: Store) => {
      const read: number[] = [];
      while (read.length < 2 * each) {
        const page = await at.reads.events.page({ after: read.at(-1) ?? 0, limit: 7 });
        read.push(...page.map(({ seq }) => seq));
        if (page.length === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return read;
    };

    const [, , ...readers] = await Promise.all([
      writeAll(store),
      writeAll(other ?? store),
      readAll(store),
      readAll(other ?? store),
    ]);

    const expected = Array.from({ length: 2 * each }, (_, i) => i + 1);
    expect(readers).toEqual([expected, expected]);
  });

  it('[13.1] continues the numbers after a restart', async ({ skip }) => {
    await using fixture = await open();
    const { store, reopen } = fixture;
    if ('gap' in reopen) return skip(reopen.gap);
    const { user } = await settle(store);
    await emit(store, aChange(user), aChange(user));

    const reopened = await reopen();
    await emit(reopened, aChange(user, { kind: 'after' }));

    expect((await kindsOf(reopened)).at(-1)).toBe('3 after');
  });
}
