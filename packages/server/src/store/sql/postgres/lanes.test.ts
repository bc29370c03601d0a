import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import type { Event } from '#domain/event';
import { verifyChain } from '#services/verify-chain';
import type { Store } from '#store/store';
import { anEvent, anId, aToken, settle } from '#store/testing/contract/fixture';
import { openPostgresStore } from './open-postgres-store.ts';

afterEach(() => void vi.useRealTimers());

async function aDatabase(): Promise<AsyncDisposable & { readonly url: string; readonly sql: Ask }> {
  const server = inject('postgresUrl');
  const name = `lanes_${process.pid}_${anId().slice(-12)}`;
  const asked = async (url: string, text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  };
  await asked(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return {
    url,
    sql: (text) => asked(url, text),
    [Symbol.asyncDispose]: async () => void (await asked(server, `drop database ${name} with (force)`)),
  };
}

type Ask = (text: string) => Promise<readonly Record<string, unknown>[]>;

const openAt = async (url: string): Promise<Store & AsyncDisposable> => {
  const store = await openPostgresStore({ url, ids: anId });
  return { ...store, [Symbol.asyncDispose]: store.close };
};

const WRITER = join(import.meta.dirname, '../../testing/lane-writer.ts');
const WRITERS_LANES = 4;
const ROUNDS = 3;

/** A process that writes events, and the writes that were answered as committed. */
function aWriter(url: string, name: string, { id, workspace_id }: { id: string; workspace_id: string }) {
  const child: ChildProcess = spawn(execPath, [WRITER, url, id, workspace_id, name, String(WRITERS_LANES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const confirmed: string[] = [];
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => confirmed.push(line));
  return {
    confirmed,
    kill: async () => {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Reads events by their numbers, as a listener does who reconnects after every page. */
function aReader(store: Store) {
  const read: Event[] = [];
  return {
    read,
    readOn: async () => {
      for (;;) {
        const page = await store.reads.events.page({ after: read.at(-1)?.seq ?? 0, limit: 50 });
        if (page.length === 0) return;
        read.push(...page);
      }
    },
  };
}

describe('servers that write in lanes of one PostgreSQL', () => {
  it('number every confirmed event once and in order when one of them is killed', async () => {
    await using database = await aDatabase();
    await using store = await openAt(database.url);
    const { user } = await settle(store);
    const reader = aReader(store);
    const unwatch = store.watch(() => {});
    const survivor = aWriter(database.url, 'survivor', user);
    const confirmed: string[] = [];

    for (let round = 0; round < ROUNDS; round++) {
      const writer = aWriter(database.url, `killed${round}`, user);
      await vi.waitFor(() => expect(writer.confirmed.length).toBeGreaterThan(100));
      await writer.kill();
      confirmed.push(...writer.confirmed);
      await reader.readOn();
    }
    await survivor.kill();
    confirmed.push(...survivor.confirmed);

    await vi.waitFor(async () => {
      expect(await database.sql('select 1 from outbox')).toEqual([]);
      await reader.readOn();
      expect(reader.read.length).toBeGreaterThanOrEqual(confirmed.length);
    });
    unwatch();
    expect(reader.read.map(({ seq }) => seq)).toEqual(reader.read.map((_, i) => i + 1));
    const names = reader.read.map(({ kind, entity_id }) => `${kind} ${entity_id}`);
    expect(new Set(names).size).toBe(names.length);
    const known = new Set(names);
    expect(confirmed.filter((name) => !known.has(name))).toEqual([]);
    for (const lane of new Set(reader.read.map(({ kind }) => kind))) {
      const turns = reader.read.filter(({ kind }) => kind === lane).map(({ entity_id }) => Number(entity_id));
      expect(turns).toEqual(turns.map((_, i) => i));
    }
  });

  it('present a revoked token within a second at the others, and never again at the one that revoked it', async () => {
    await using database = await aDatabase();
    await using one = await openAt(database.url);
    await using two = await openAt(database.url);
    const { user } = await settle(one);
    const tokens = Array.from({ length: 5 }, () => aToken(user));
    await one.transaction(async (tx) => {
      for (const token of tokens) await tx.tokens.insert(token);
    });
    const isLive = async (store: Store, hash: string) =>
      (await store.reads.tokens.present(hash))?.known.token.revoked_at === null;
    const revoked_at = new Map<string, number>();
    const late: string[] = [];

    for (const { id, hash } of tokens) {
      // Kept at both.
      for (const store of [one, two]) expect(await isLive(store, hash)).toBe(true);
      await one.transaction((tx) => tx.tokens.revoke(user.workspace_id, id, tx.now));
      revoked_at.set(hash, performance.now());
      expect(await isLive(one, hash)).toBe(false);
      await vi.waitFor(
        async () => {
          const asked = performance.now();
          const live = await isLive(two, hash);
          // Asked more than a second after the revocation, and still presented as it was.
          if (live && asked - (revoked_at.get(hash) ?? 0) > 1000) late.push(hash);
          expect(live).toBe(false);
        },
        { interval: 10 },
      );
    }

    expect(late).toEqual([]);
  });

  it('notice what an older release revokes, which counts no changes itself', async () => {
    await using database = await aDatabase();
    await using store = await openAt(database.url);
    const { user } = await settle(store);
    const token = aToken(user);
    await store.transaction((tx) => tx.tokens.insert(token));
    expect((await store.reads.tokens.present(token.hash))?.known.token.revoked_at).toBeNull();

    await database.sql(`update tokens set revoked_at = 5 where id = '${token.id}'`);

    await vi.waitFor(async () =>
      expect((await store.reads.tokens.present(token.hash))?.known.token.revoked_at).toBe(5),
    );
  });

  it('chain entries that a killed server has left, and name one that was changed afterwards', async () => {
    await using database = await aDatabase();
    await using store = await openAt(database.url);
    const { user } = await settle(store);
    for (let i = 0; i < 6; i++) {
      await store.transaction(async (tx) => tx.record(anEvent(user, { action: `call ${i}` })), {
        lane: `lane-${i % 2}`,
      });
    }
    const body = JSON.stringify({ entries: [anEvent(user, { action: 'left' })], events: [] });
    await database.sql(`insert into outbox (at, body) values (5, '${body.replaceAll("'", "''")}')`);

    const sound = await verifyChain(store.reads.audit, null);
    await database.sql(`update audit_events set action = 'other' where seq = 4`);
    const changed = await verifyChain(store.reads.audit, sound.head);
    await database.sql(`update audit_events set action = 'call 3' where seq = 4`);
    await database.sql(`delete from audit_events where seq = 7`);
    const cut = await verifyChain(store.reads.audit, sound.head);
    await database.sql(`update audit_head set seq = 6, hash = (select hash from audit_events where seq = 6)`);
    const rewritten = await verifyChain(store.reads.audit, sound.head);

    expect(sound).toMatchObject({ entries: 7, problem: null });
    expect(changed).toMatchObject({ first_bad_seq: 4 });
    expect(cut).toMatchObject({ first_bad_seq: 7 });
    expect(rewritten).toMatchObject({ first_bad_seq: 7 });
  });

  it('move what a killed server has left while nobody watches, until they are closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using database = await aDatabase();
    const store = await openPostgresStore({ url: database.url, ids: anId });
    const { user } = await settle(store);
    // What was begun when the store was opened has ended.
    await store.reads.audit.head();
    const body = JSON.stringify({ entries: [anEvent(user, { action: 'left' })], events: [] });
    await database.sql(`insert into outbox (at, body) values (5, '${body.replaceAll("'", "''")}')`);

    await vi.waitFor(async () => {
      vi.advanceTimersByTime(1000);
      expect(await database.sql('select 1 from outbox')).toEqual([]);
    });
    const moved = await database.sql(`select action from audit_events where action = 'left'`);
    await store.close();

    expect(moved).toEqual([{ action: 'left' }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
