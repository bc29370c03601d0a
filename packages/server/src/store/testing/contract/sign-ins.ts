import { expect, it } from 'vitest';
import type { SignInKey } from '#domain/sign-in';
import { type OpenFixture, settle } from './fixture.ts';

/** Sign-in keys, and the servers that honour them. */
export function describeSignIns(open: OpenFixture): void {
  it('[3.10] gives a sign-in key to one of several callers, and to none after it expired', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const other = await settle(store);
    const aKey = (hash: string, now: number, life_ms: number): SignInKey => ({
      hash,
      workspace_id,
      user_id: user.id,
      created_at: now,
      expires_at: now + life_ms,
    });
    await store.transaction(async (tx) => {
      await tx.signInKeys.insert(aKey('good', tx.now, 60_000));
      await tx.signInKeys.insert(aKey('expired', tx.now, 0));
    });

    const { has } = store.reads.signInKeys;
    const known = await Promise.all([
      ...['good', 'expired', 'none'].map((hash) => has(workspace_id, hash)),
      has(other.workspace_id, 'good'),
    ]);
    const foreign = await store.transaction((tx) => tx.signInKeys.take(other.workspace_id, 'good'));
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => store.transaction((tx) => tx.signInKeys.take(workspace_id, 'good'))),
    );
    const expired = await store.transaction((tx) => tx.signInKeys.take(workspace_id, 'expired'));

    expect(known).toEqual([true, false, false, false]);
    expect(await has(workspace_id, 'good')).toBe(false);
    expect(foreign).toBeNull();
    expect(taken.filter((key) => key !== null)).toMatchObject([{ user_id: user.id }]);
    expect(expired).toBeNull();
  });

  it('[3.10] keeps the newest sign-in keys of a user', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const [before, after] = [{ workspace_id, user_id: user.id }, { expires_at: Number.MAX_SAFE_INTEGER }];

    await store.transaction(async (tx) => {
      for (const at of [1, 2, 3]) {
        await tx.signInKeys.insert({ hash: `key-${at}-${user.id}`, ...before, created_at: at, ...after });
      }
      await tx.signInKeys.trim(workspace_id, user.id, 2);
    });

    const take = (at: number) => store.transaction((tx) => tx.signInKeys.take(workspace_id, `key-${at}-${user.id}`));
    expect(await take(1)).toBeNull();
    expect(await take(2)).not.toBeNull();
    expect(await take(3)).not.toBeNull();
  });

  it('[3.11] lists the servers whose lease is not over', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const aServer = (id: string, lease_until: number) => ({ id, host_name: 'here', url: `http://${id}`, lease_until });

    await store.transaction(async (tx) => {
      await tx.servers.put(aServer('gone', tx.now - 1));
      await tx.servers.put(aServer('left', tx.now + 60_000));
      await tx.servers.put(aServer('first', tx.now + 60_000));
      await tx.servers.put(aServer('first', tx.now + 90_000));
      await tx.servers.put(aServer('second', tx.now + 70_000));
      await tx.servers.remove('left');
    });

    expect((await store.reads.servers.live()).map(({ id }) => id)).toEqual(['first', 'second']);
    expect(await store.transaction((tx) => tx.servers.sweep(tx.now))).toBe(1);
  });
}
