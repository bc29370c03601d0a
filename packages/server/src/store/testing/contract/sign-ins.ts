import { expect, it } from 'vitest';
import type { SignInKey } from '#domain/sign-in';
import { aToken, type OpenFixture, settle } from './fixture.ts';

const HOUR_MS = 3_600_000;

/** Sign-in keys, and the servers that honour them. */
export function describeSignIns(open: OpenFixture): void {
  it('[3.10] gives a sign-in key to one of several callers, and to no caller after it expired', async () => {
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

  it('[3.12] finds the password of an active person by name, in any case', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const other = await settle(store);
    const password = { user_id: user.id, workspace_id, hash: 'h', changed_at: 1 };

    await store.transaction(async (tx) => {
      await tx.passwords.put({ ...password, hash: 'earlier' });
      await tx.passwords.put(password);
    });

    const { ofName, find, exist } = store.reads.passwords;
    expect(await ofName(workspace_id, user.name.toUpperCase())).toEqual(password);
    expect([await find(other.workspace_id, user.id), await ofName(other.workspace_id, user.name)]).toEqual([
      null,
      null,
    ]);
    expect([await exist(workspace_id), await exist(other.workspace_id)]).toEqual([true, false]);
    await store.transaction((tx) => tx.users.setStatus(workspace_id, user.id, 'blocked'));
    expect(await ofName(workspace_id, user.name)).toBeNull();
  });

  it('[3.12] lists sessions while their token is valid, the last used first', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const session = { workspace_id, user_id: user.id, device: 'Firefox', address: '10.0.0.1', created_at: 1 };
    const tokens = await store.transaction(async (tx) => {
      const made = [aToken(user), aToken(user), aToken(user, { expires_at: tx.now - 1 })];
      for (const [at, token] of made.entries()) {
        await tx.tokens.insert(token);
        await tx.browserSessions.insert({ ...session, token_id: token.id, seen_at: at });
      }
      return made.map(({ id }) => id);
    });
    const [first, second, expired] = tokens;
    const ids = async (): Promise<readonly string[]> =>
      (await store.reads.browserSessions.live(workspace_id, user.id, 10)).map(({ token_id }) => token_id);

    expect(await ids()).toEqual([second, first]);
    await store.transaction(async (tx) => {
      if (first !== undefined)
        await tx.browserSessions.touch({ workspace_id, token_id: first, address: 'b', seen_at: 9 });
      if (expired !== undefined) expect(await tx.browserSessions.find(workspace_id, expired)).toBeNull();
    });
    expect(await ids()).toEqual([first, second]);
    await store.transaction(async (tx) => second !== undefined && tx.tokens.revoke(workspace_id, second, tx.now));

    expect(await store.reads.browserSessions.live(workspace_id, null, 10)).toMatchObject([
      { token_id: first, user_name: user.name, address: 'b', seen_at: 9 },
    ]);
  });

  it('[3.13] removes sessions that ended before a time, at most `limit` at once, and keeps their tokens', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { workspace_id, user } = await settle(store);
    const session = {
      workspace_id,
      user_id: user.id,
      device: 'Firefox',
      address: '10.0.0.1',
      created_at: 1,
      seen_at: 1,
    };
    const made = await store.transaction(async (tx) => {
      const [before, after, later] = [tx.now - 3 * HOUR_MS, tx.now - HOUR_MS, tx.now + HOUR_MS];
      const tokens = [
        aToken(user, { expires_at: later }),
        aToken(user, { expires_at: null }),
        aToken(user, { expires_at: after }),
        aToken(user, { expires_at: later, revoked_at: after }),
        aToken(user, { expires_at: before }),
        aToken(user, { expires_at: later, revoked_at: before }),
        aToken(user, { expires_at: after, revoked_at: before }),
      ];
      for (const token of tokens) {
        await tx.tokens.insert(token);
        if (token.revoked_at !== null) await tx.tokens.revoke(workspace_id, token.id, token.revoked_at);
        await tx.browserSessions.insert({ ...session, token_id: token.id });
      }
      return tokens;
    });
    const { hasEnded, live } = store.reads.browserSessions;
    const sweep = (ago_ms: number, limit: number) =>
      store.transaction((tx) => tx.browserSessions.sweep(tx.now - ago_ms, limit));

    const due = [await hasEnded(4 * HOUR_MS), await hasEnded(2 * HOUR_MS)];
    const removed = [await sweep(4 * HOUR_MS, 9), await sweep(2 * HOUR_MS, 2), await sweep(2 * HOUR_MS, 2)];
    const left = [await hasEnded(2 * HOUR_MS), await hasEnded(HOUR_MS / 2)];

    expect({ due, removed, left }).toEqual({ due: [false, true], removed: [0, 2, 1], left: [false, true] });
    expect(await sweep(0, 9)).toBe(2);
    expect(await live(workspace_id, user.id, 9)).toHaveLength(2);
    for (const { hash } of made) expect(await store.reads.tokens.present(hash)).not.toBeNull();
  });
}
