import { expect, it, vi } from 'vitest';
import type { User } from '#domain/user';
import type { Store } from '#store/store';
import { type OpenFixture, settle } from './fixture.ts';
import { aChange } from './tracker-fixture.ts';

const WITHIN = { timeout: 60_000, interval: 20 };

const emit = (store: Store, user: User): Promise<void> => store.transaction(async (tx) => tx.emit(aChange(user)));

/** Watching for changes. */
export function describeWatch(open: OpenFixture): void {
  it('[13.4] notifies every listener of a commit with events before the writer goes on, and of no other', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    const calls = { first: 0, second: 0 };
    store.watch(() => calls.first++);
    store.watch(() => calls.second++);

    await store.transaction((tx) => tx.settings.put('a', 'b'));
    expect(calls).toEqual({ first: 0, second: 0 });
    await emit(store, user);
    expect(calls).toEqual({ first: 1, second: 1 });
  });

  it('[13.4] shows a listener the events that it is notified of', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    const heads: Promise<number>[] = [];
    store.watch(() => heads.push(store.reads.events.head()));

    for (const head of [1, 2, 3]) {
      await emit(store, user);

      expect(await heads[head - 1]).toBe(head);
    }
  });

  it('[13.4] does not notify a listener that has left, while another one listens', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    const listener = vi.fn();
    const [leave] = [store.watch(listener), store.watch(listener)];

    leave();
    leave();
    await emit(store, user);

    expect(listener).toHaveBeenCalledOnce();
  });

  it('[13.4] protects the writer and the other listeners from a listener that throws', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    const listener = vi.fn();
    store.watch(() => {
      throw new Error('not my day');
    });
    store.watch(listener);

    await emit(store, user);

    expect(listener).toHaveBeenCalledOnce();
    expect(await store.reads.events.head()).toBe(1);
  });

  it('[13.4] notifies a listener soon of commits of another process, also after a pause without listeners', async ({
    skip,
  }) => {
    await using fixture = await open();
    const { store, beside } = fixture;
    if ('gap' in beside) return skip(beside.gap);
    await using other = await beside();
    const { user } = await settle(store);
    const leave = store.watch(() => {});
    leave();
    const heads: Promise<number>[] = [];
    store.watch(() => heads.push(store.reads.events.head()));

    for (const head of [1, 2]) {
      await emit(other, user);
      await vi.waitFor(async () => expect(await heads.at(-1)).toBe(head), WITHIN);
    }
  });
}
