import { hash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { auditText, GENESIS_HASH } from '#domain/audit';
import type { ProjectId } from '#domain/ids';
import type { Store } from '#store/store';
import {
  aHash,
  anEvent,
  anExchange,
  anId,
  aRecord,
  conversationsOf,
  EVERYTHING,
  type OpenFixture,
  settle,
} from './fixture.ts';

const MINUTE_MS = 60_000;

/** Follows the chain from its start; the hash where it ends. */
async function follow(store: Store): Promise<{ readonly seq: number; readonly hash: string }> {
  const end = { seq: 0, hash: GENESIS_HASH };
  for (;;) {
    const page = await store.reads.audit.page(end.seq, 10);
    if (page.length === 0) return end;
    for (const { hash: own, ...event } of page) {
      expect(event.seq).toBe(end.seq + 1);
      expect(event.prev_hash).toBe(end.hash);
      expect(own).toBe(hash('sha256', auditText(event), 'hex'));
      end.seq = event.seq;
      end.hash = own;
    }
  }
}

/** Idempotency records, conversations and the audit chain. */
export function describeJournal(open: OpenFixture): void {
  it('[7.1] finds a record until it expires, and lets it be replaced only then', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const find = (principal: string, key: string) => store.transaction((tx) => tx.idempotency.find(principal, key));
    const put = (fields: object) => store.transaction((tx) => tx.idempotency.put(aRecord(tx.now, fields)));

    await put({});
    expect(await find('agent-1', 'key-1')).toMatchObject({ args_hash: aHash(1), result: '{"ok":true}' });
    expect(await find('agent-2', 'key-1')).toBeNull();
    await expect(put({ args_hash: aHash(2) })).rejects.toMatchObject({ code: 'conflict' });
    await put({ principal_id: 'agent-2', result: null });
    expect(await find('agent-2', 'key-1')).toMatchObject({ result: null });

    await elapse(61_000);
    expect(await find('agent-1', 'key-1')).toBeNull();
    await put({ args_hash: aHash(3) });
    expect(await find('agent-1', 'key-1')).toMatchObject({ args_hash: aHash(3) });
  });

  it('[7.1] shows a record outside of a transaction too, to its own principal and until it expires', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const { find } = store.reads.idempotency;
    const project_id = anId<ProjectId>();
    await store.transaction((tx) => tx.idempotency.put(aRecord(tx.now, { project_id })));

    expect(await find('agent-1', 'key-1')).toMatchObject({ args_hash: aHash(1), project_id });
    expect(await find('agent-2', 'key-1')).toBeNull();
    expect(await find('agent-1', 'key-2')).toBeNull();

    await elapse(61_000);
    expect(await find('agent-1', 'key-1')).toBeNull();
  });

  it('[7.2] completes a running call once, and completes no other call', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const { find } = store.reads.idempotency;
    const project_id = anId<ProjectId>();
    const created_at = 7;
    const complete = (fields: object) =>
      store.transaction((tx) =>
        tx.idempotency.complete(
          aRecord(tx.now, { result: '"first"', project_id, expires_at: tx.now + 90_000, created_at, ...fields }),
        ),
      );
    const result = async () => (await find('agent-1', 'key-1'))?.result;
    await store.transaction(async (tx) => {
      await tx.idempotency.put(aRecord(tx.now, { result: null, created_at }));
      await tx.idempotency.put(aRecord(tx.now, { result: null, created_at, key: 'key-2' }));
      await tx.idempotency.put(aRecord(tx.now, { result: null, created_at, principal_id: 'agent-2' }));
    });

    await complete({ key: 'key-3' });
    await complete({ created_at: created_at + 1 });
    expect(await result()).toBeNull();
    await complete({});
    await complete({ result: '"second"' });

    expect(await find('agent-1', 'key-1')).toMatchObject({ result: '"first"', project_id });
    expect(await find('agent-1', 'key-2')).toMatchObject({ result: null });
    expect(await find('agent-2', 'key-1')).toMatchObject({ result: null });
    await elapse(61_000);
    expect(await find('agent-1', 'key-1')).toMatchObject({ result: '"first"' });
  });

  it('[7.2] removes a running call, and never an answered one', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { find } = store.reads.idempotency;
    await store.transaction(async (tx) => {
      const created_at = 7;
      await tx.idempotency.put(aRecord(tx.now, { result: null, created_at }));
      await tx.idempotency.put(aRecord(tx.now, { key: 'answered', created_at }));
      await tx.idempotency.put(aRecord(tx.now, { result: null, key: 'key-2', created_at }));
      await tx.idempotency.put(aRecord(tx.now, { result: null, key: 'of a later call', created_at: created_at + 1 }));
      await tx.idempotency.put(aRecord(tx.now, { result: null, principal_id: 'agent-2', created_at }));
    });

    await store.transaction(async (tx) => {
      for (const key of ['key-1', 'answered', 'of a later call']) {
        await tx.idempotency.release({ principal_id: 'agent-1', key, created_at: 7 });
      }
    });

    expect(await find('agent-1', 'key-1')).toBeNull();
    for (const [principal, key] of [
      ['agent-1', 'answered'],
      ['agent-1', 'of a later call'],
      ['agent-1', 'key-2'],
      ['agent-2', 'key-1'],
    ] as const) {
      expect(await find(principal, key)).not.toBeNull();
    }
  });

  it('[7.3] removes expired records only, at most as many as asked for', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    await store.transaction(async (tx) => {
      for (let i = 0; i < 5; i++) await tx.idempotency.put(aRecord(tx.now, { key: `old-${i}` }));
    });
    await elapse(61_000);
    await store.transaction((tx) => tx.idempotency.put(aRecord(tx.now, { key: 'new' })));

    const sweep = () => store.transaction((tx) => tx.idempotency.sweep(tx.now, 3));

    expect([await sweep(), await sweep(), await sweep()]).toEqual([3, 2, 0]);
    expect(await store.transaction((tx) => tx.idempotency.find('agent-1', 'new'))).not.toBeNull();
  });

  it('[7.3] removes expired records also behind one whose key was given again', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const put = (key: string) => store.transaction((tx) => tx.idempotency.put(aRecord(tx.now, { key })));
    for (const key of ['again', 'old-1', 'old-2']) await put(key);
    await elapse(61_000);
    await put('again');

    const sweep = () => store.transaction((tx) => tx.idempotency.sweep(tx.now, 1));

    expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0]);
    expect(await store.transaction((tx) => tx.idempotency.find('agent-1', 'again'))).not.toBeNull();
  });

  it('[8.1] continues a conversation for thirty minutes after its last message, then opens another', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const [{ user }, other] = [await settle(store), await settle(store)];
    const say = (content: string) => store.transaction(async (tx) => tx.say(anExchange(user, content)));

    await say('one');
    await elapse(29 * MINUTE_MS + 59_000 - 30_000);
    await say('two');
    await elapse(29 * MINUTE_MS + 30_000);
    await say('three');
    await elapse(30 * MINUTE_MS + 1000);
    await say('four');
    await say('five');
    await store.transaction(async (tx) => tx.say(anExchange(other.user, 'hello')));

    expect(await conversationsOf(store, user)).toEqual([
      ['one', 'two', 'three'],
      ['four', 'five'],
    ]);
    expect(await conversationsOf(store, other.user)).toEqual([['hello']]);
  });

  it('[8.2] shows messages to their user only, in order', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const [{ user }, other] = [await settle(store), await settle(store)];
    const contents = Array.from({ length: 40 }, (_, i) => `message ${i} 👋`);

    await Promise.all(
      contents.map((content, i) =>
        store.transaction(async (tx) => {
          tx.say(anExchange(user, content, `${content} again`));
          if (i % 2 === 0) tx.say(anExchange(other.user, content));
        }),
      ),
    );

    expect(await conversationsOf(store, user)).toEqual([contents.flatMap((content) => [content, `${content} again`])]);
    const [conversation] = await store.reads.conversations.list(user.id, EVERYTHING);
    expect(conversation?.id).toBeDefined();
    if (conversation === undefined) return;
    expect(await store.reads.conversations.messages(other.user.id, conversation.id, EVERYTHING)).toEqual([]);
  });

  it('[8.2] pages through conversations newest first, and through messages in order', async () => {
    await using fixture = await open();
    const { store, elapse } = fixture;
    const { user } = await settle(store);
    for (const content of ['one', 'two', 'three']) {
      await store.transaction(async (tx) => tx.say(anExchange(user, content, `${content} again`)));
      await elapse(31 * MINUTE_MS);
    }
    const { list, messages } = store.reads.conversations;

    const [newest] = await list(user.id, { after: null, limit: 1 });
    const older = await list(user.id, { after: newest?.id ?? null, limit: 9 });
    if (newest === undefined) throw new Error('No conversation.');
    const [first] = await messages(user.id, newest.id, { after: null, limit: 1 });
    const rest = await messages(user.id, newest.id, { after: first?.id ?? null, limit: 9 });

    expect(first?.content).toBe('three');
    expect(rest.map(({ content }) => content)).toEqual(['three again']);
    expect(older).toHaveLength(2);
    expect(older.map(({ id }) => id)).not.toContain(newest.id);
  });

  it('[8.3] writes deferred messages soon, before later ones', async () => {
    await using fixture = await open();
    const { store, commits } = fixture;
    const { user } = await settle(store);
    const before = commits.length;

    store.sayLater(anExchange(user, 'first'));
    store.sayLater(anExchange(user, 'second'));
    await store.transaction(async (tx) => tx.say(anExchange(user, 'third')));
    store.sayLater(anExchange(user, 'fourth'));

    await vi.waitFor(async () => {
      expect(await conversationsOf(store, user)).toEqual([['first', 'second', 'third', 'fourth']]);
    });
    expect(commits.length - before).toBe(2);
  });

  it('[8.3] commits other work although the user of a deferred message is unknown', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);

    store.sayLater(anExchange({ ...user, id: 'nobody' as typeof user.id }, 'hello'));
    await store.transaction((tx) => tx.settings.put('a', 'kept'));

    expect(await store.reads.settings.get('a')).toBe('kept');
  });

  it('[8.4] links every audit entry to the one before it, and the head to the last entry', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user } = await settle(store);
    expect(await store.reads.audit.head()).toEqual({ seq: 0, hash: GENESIS_HASH });

    for (let group = 0; group < 5; group++) {
      const record = (_: unknown, i: number) =>
        store.transaction(async (tx) => {
          tx.record(anEvent(user, { correlation_id: `${group}-${i} ✓`, entity_id: i % 2 === 0 ? null : String(i) }));
        });
      await Promise.all(Array.from({ length: 7 }, record));
    }

    expect(await store.reads.audit.head()).toEqual(await follow(store));
    expect(await store.reads.audit.head()).toMatchObject({ seq: 35 });
  });

  it('[8.7] keeps everything across a restart, also messages deferred just before', async ({ skip }) => {
    await using fixture = await open();
    const { store, reopen } = fixture;
    if ('gap' in reopen) return skip(reopen.gap);
    const { user, workspace_id, aTodo } = await settle(store);
    const todo = aTodo();
    await store.transaction(async (tx) => {
      await tx.workItems.insert(todo);
      tx.record(anEvent(user));
    });
    store.sayLater(anExchange(user, 'goodbye'));

    const reopened = await reopen();
    await reopened.transaction(async (tx) => tx.record(anEvent(user)));

    expect(await reopened.reads.workItems.findTodo(workspace_id, todo.id)).toEqual(todo);
    expect(await conversationsOf(reopened, user)).toEqual([['goodbye']]);
    expect(await reopened.reads.audit.head()).toEqual(await follow(reopened));
    expect(await reopened.reads.audit.head()).toMatchObject({ seq: 2 });
  });
}
