import { expect, it } from 'vitest';
import { anEvent, anExchange, anId, conversationsOf, type OpenFixture, settle } from './fixture.ts';

/** What a transaction promises, whatever it writes. */
export function describeTransactions(open: OpenFixture): void {
  it('[1.1] shows a transaction its own writes, and other readers only what is committed', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const written = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();

    const failing = store.transaction(async (tx) => {
      await tx.settings.put('colour', 'red');
      expect(await tx.settings.get('colour')).toBe('red');
      written.resolve();
      await goOn.promise;
      throw new Error('changed my mind');
    });
    await written.promise;
    const seen = store.reads.settings.get('colour');
    goOn.resolve();

    await expect(failing).rejects.toThrow('changed my mind');
    expect(await seen).toBeNull();
    expect(await store.reads.settings.get('colour')).toBeNull();
  });

  it('[1.2] shows a transaction to the next read after it has resolved', async () => {
    await using fixture = await open();
    const { store } = fixture;

    for (let i = 0; i < 20; i++) {
      await store.transaction((tx) => tx.settings.put('count', String(i)));

      expect(await store.reads.settings.get('count')).toBe(String(i));
    }
  });

  it('[1.3] commits transactions together that are requested together', async () => {
    await using fixture = await open();
    const { store, commits } = fixture;
    const before = commits.length;

    await Promise.all(Array.from({ length: 20 }, (_, i) => store.transaction((tx) => tx.settings.put(`s${i}`, 'x'))));

    expect(commits.slice(before)).toEqual([20]);
  });

  it('[1.8] numbers another state after a commit of this process and of another one', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { version } = store;
    if (version === null) return expect(store.has_lanes).toBe(true);
    await using other = 'gap' in fixture.beside ? null : await fixture.beside();
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const before = version();

    await store.transaction((tx) => tx.settings.put('here', 'x'));
    const here = version();
    await turn();
    await other?.transaction((tx) => tx.settings.put('there', 'x'));
    await turn();
    const there = version();

    expect(here).not.toBe(before);
    if (other !== null) expect(there).not.toBe(here);
    await turn();
    expect(version()).toBe(there);
  });

  it('[1.8] keeps the number of the state when calls that only read store messages', async () => {
    await using fixture = await open();
    const { store, commits } = fixture;
    const { user } = await settle(store);
    const before = store.version?.();
    const count = commits.length;

    store.sayLater(anExchange(user, 'read'));
    await expect.poll(() => commits.length).toBe(count + 1);

    expect(store.version?.()).toBe(before);
  });

  it('[1.3] runs transactions that are requested together one after another', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const increment = () =>
      store.transaction(async (tx) => {
        const count = Number(await tx.settings.get('count'));
        await tx.settings.get('something else');
        await tx.settings.put('count', String(count + 1));
        return count;
      });

    const counts = await Promise.all(Array.from({ length: 300 }, increment));

    expect(counts).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(await store.reads.settings.get('count')).toBe('300');
  });

  it('[1.4] rolls back a transaction that fails after a write, and keeps those around it', async () => {
    await using fixture = await open();
    const { store, commits } = fixture;
    const { user } = await settle(store);
    const before = commits.length;
    const work = (name: string, fails: boolean) =>
      store.transaction(async (tx) => {
        await tx.settings.put(name, 'kept');
        tx.record(anEvent(user, { action: name }));
        tx.say(anExchange(user, name));
        if (fails) throw new Error(`${name} fails`);
        return name;
      });

    const settled = await Promise.allSettled([work('a', false), work('b', true), work('c', false)]);

    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: { message: 'b fails' } });
    const names = await Promise.all(['a', 'b', 'c'].map((name) => store.reads.settings.get(name)));
    expect(names).toEqual(['kept', null, 'kept']);
    expect((await store.reads.audit.page(0, 10)).map(({ action }) => action)).toEqual(['a', 'c']);
    expect(await conversationsOf(store, user)).toEqual([['a', 'c']]);
    expect(commits.slice(before)).toEqual([3]);
  });

  it('[1.4] rejects a transaction that fails before a write without disturbing the others', async () => {
    await using fixture = await open();
    const { store, commits } = fixture;
    const before = commits.length;

    const settled = await Promise.allSettled([
      store.transaction((tx) => tx.settings.put('a', 'kept')),
      store.transaction(async (tx) => {
        if ((await tx.settings.get('a')) === 'kept') throw new Error('no');
      }),
    ]);

    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await store.reads.settings.get('a')).toBe('kept');
    expect(commits.slice(before)).toEqual([2]);
  });

  it('[1.4] fails only the transaction whose write the database refuses', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { aTodo, user } = await settle(store);
    const todo = aTodo();
    await store.transaction((tx) => tx.workItems.insert(todo));

    const settled = await Promise.allSettled([
      store.transaction((tx) => tx.settings.put('a', 'kept')),
      store.transaction((tx) => tx.workItems.insert(todo)),
      store.transaction((tx) => tx.settings.put('b', 'kept')),
      store.transaction(async (tx) => tx.say(anExchange({ ...user, workspace_id: anId() }, 'hello'))),
      store.transaction((tx) => tx.settings.put('c', 'kept')),
    ]);

    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(settled[1]).toMatchObject({ reason: { code: 'conflict' } });
    const names = await Promise.all(['a', 'b', 'c'].map((name) => store.reads.settings.get(name)));
    expect(names).toEqual(['kept', 'kept', 'kept']);
  });

  it('[1.5] can be checked, and refuses work once it is closed', async () => {
    await using fixture = await open();
    const { store } = fixture;
    await store.check();

    await store.close();

    await expect(store.transaction((tx) => tx.settings.put('a', 'b'))).rejects.toMatchObject({
      code: 'database_error',
    });
  });
}
