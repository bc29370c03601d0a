import { expect, it } from 'vitest';
import { anExchange, aUser, conversationsOf, type OpenFixture, settle } from './fixture.ts';

const HOUR_MS = 60 * 60_000;

/** What keeps messages few. */
export function describeGrowth(open: OpenFixture): void {
  it('[8.6] deletes messages of old conversations in parts, and conversations without any', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const { user } = await settle(store);
    await store.transaction(async (tx) => tx.say(anExchange(user, 'a', 'b', 'c')));
    await elapse(HOUR_MS);
    const now = await store.transaction(async (tx) => {
      tx.say(anExchange(user, 'd'));
      return tx.now;
    });

    const { hasOlder } = store.reads.conversations;
    expect([await hasOlder(HOUR_MS / 2), await hasOlder(HOUR_MS * 2)]).toEqual([true, false]);
    const sweep = () => store.transaction((tx) => tx.conversations.sweep(now - HOUR_MS / 2, 2));
    expect([await sweep(), await sweep(), await sweep()]).toEqual([2, 1, 0]);

    expect(await conversationsOf(store, user)).toHaveLength(1);
    expect(await hasOlder(HOUR_MS / 2)).toBe(false);
  });

  it('[8.6] finds active users with too many messages, and deletes the oldest of one user alone', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const { user, workspace_id } = await settle(store);
    const other = aUser(workspace_id);
    await store.transaction(async (tx) => {
      await tx.users.insert(other);
      tx.say(anExchange(other, 'a', 'b', 'c'));
    });
    await elapse(HOUR_MS);
    await store.transaction(async (tx) => tx.say(anExchange(user, 'a', 'b', 'c')));
    const crowded = (active_within_ms: number, most: number) =>
      store.reads.conversations.crowded({ active_within_ms, most, limit: 10 });

    expect(await crowded(HOUR_MS / 2, 2)).toEqual([{ user_id: user.id, count: 3 }]);
    expect(await crowded(HOUR_MS * 2, 2)).toHaveLength(2);
    expect(await crowded(HOUR_MS * 2, 3)).toEqual([]);

    expect(await store.transaction((tx) => tx.conversations.trim(user.id, 2))).toBe(2);
    expect(await crowded(HOUR_MS * 2, 2)).toEqual([{ user_id: other.id, count: 3 }]);
  });
}
