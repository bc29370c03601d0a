import { expect, it } from 'vitest';
import type { ClientQuestion, ClientSession } from '#domain/client-session';
import type { Store } from '#store/store';
import { anId, type OpenFixture } from './fixture.ts';

const HOUR_MS = 3_600_000;

async function aSession(store: Store, fields: Partial<ClientSession> = {}): Promise<ClientSession> {
  return await store.transaction(async (tx) => {
    const session = {
      id: anId(),
      owner: 'anna',
      facts: '{}',
      tasks_made: 0,
      created_at: tx.now,
      seen_at: tx.now,
      ...fields,
    };
    await tx.clientSessions.insert(session);
    return session;
  });
}

/** Sessions of MCP clients, and the questions that are put in them. */
export function describeClientSessions(open: OpenFixture): void {
  it('[14.1] finds a client session for its owner only, until it was idle for too long', async () => {
    await using fixture = await open();
    const { find } = fixture.store.reads.clientSessions;
    const made = await aSession(fixture.store);

    const found = await find('anna', made.id, HOUR_MS);
    const foreign = await find('bob', made.id, HOUR_MS);
    await fixture.elapse(HOUR_MS);
    const idle = await find('anna', made.id, HOUR_MS);
    await fixture.store.transaction((tx) => tx.clientSessions.ofServer.touch(made.id));
    const used = await find('anna', made.id, HOUR_MS);

    expect(found).toEqual(made);
    expect([foreign, idle]).toEqual([null, null]);
    expect(used?.id).toBe(made.id);
  });

  it('[14.2] keeps the client sessions of an owner that were used last', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const now = await store.transaction(async (tx) => tx.now);
    const [oldest, newest, other] = [
      await aSession(store, { seen_at: now - 2 }),
      await aSession(store, { seen_at: now - 1 }),
      await aSession(store, { owner: 'bob', seen_at: now - 3 }),
    ];

    await store.transaction((tx) => tx.clientSessions.keepNewest('anna', 1));

    const { find } = store.reads.clientSessions;
    expect(await find('anna', oldest.id, HOUR_MS)).toBeNull();
    expect(await find('anna', newest.id, HOUR_MS)).not.toBeNull();
    expect(await find('bob', other.id, HOUR_MS)).not.toBeNull();
    expect(await store.transaction((tx) => tx.clientSessions.count())).toBe(2);
  });

  it('[14.2] counts the tasks made in client sessions, and forgets a session that its owner ends', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [one, two, three] = [await aSession(store), await aSession(store), await aSession(store)];
    await store.transaction((tx) => tx.clientSessions.ofServer.addTask(one.id));
    await store.transaction((tx) => tx.clientSessions.remove('bob', one.id));
    await store.transaction((tx) => tx.clientSessions.remove('anna', three.id));

    const made = await store.reads.clientSessions.ofServer.tasksMade([one.id, two.id, three.id, 'unknown']);

    expect(made.toSorted((a, b) => b.tasks_made - a.tasks_made)).toEqual([
      { id: one.id, tasks_made: 1 },
      { id: two.id, tasks_made: 0 },
    ]);
  });

  it('[14.2] removes idle client sessions with their questions, at most `limit` at once', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const now = await store.transaction(async (tx) => tx.now);
    for (const seen_at of [now - 9, now - 8, now - 7]) {
      const { id: session_id } = await aSession(store, { seen_at });
      const question = { session_id, question_id: 'q', holder: 'a', held_until: now };
      await store.transaction((tx) => tx.clientSessions.ofServer.claimQuestion(question));
    }

    const swept = [
      await store.transaction((tx) => tx.clientSessions.sweep(now - 7, 1)),
      await store.transaction((tx) => tx.clientSessions.sweep(now - 7, 9)),
      await store.transaction((tx) => tx.clientSessions.sweep(now - 7, 9)),
    ];

    expect(swept).toEqual([1, 1, 0]);
  });

  it('[14.3] gives a question of a client session to one server at a time', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { id: session_id } = await aSession(store);
    const now = await store.transaction(async (tx) => tx.now);
    const claim = (holder: string, fields: Partial<ClientQuestion> = {}) =>
      store.transaction((tx) =>
        tx.clientSessions.ofServer.claimQuestion({
          session_id,
          question_id: 'q',
          holder,
          held_until: now + 5 * HOUR_MS,
          ...fields,
        }),
      );

    const first = [await claim('a'), await claim('a'), await claim('b'), await claim('b', { question_id: 'other' })];
    await store.transaction((tx) =>
      tx.clientSessions.ofServer.releaseQuestion({ session_id, question_id: 'q', holder: 'b' }),
    );
    const foreign = await claim('b');
    await store.transaction((tx) =>
      tx.clientSessions.ofServer.releaseQuestion({ session_id, question_id: 'q', holder: 'a' }),
    );
    const released = await claim('b', { held_until: now });
    const expired = await claim('c', { held_until: now });
    await store.transaction((tx) => tx.clientSessions.ofServer.renewQuestions('c', now + 5 * HOUR_MS));
    const renewed = await claim('a');

    expect(first).toEqual([true, true, false, true]);
    expect([foreign, released, expired, renewed]).toEqual([false, true, true, false]);
    expect(await claim('a', { session_id: 'unknown' })).toBe(false);
  });
}
