import { afterEach, describe, expect, it, vi } from 'vitest';
import { EVENTS_KEPT_MS } from '#domain/event';
import { DEFAULT_LIMITS, HOUR_MS } from '#domain/limits';
import { QUIET_AFTER_MS } from '#domain/run';
import { ENDED_SESSIONS_KEPT_MS } from '#domain/sign-in';
import { SEGMENT_SIZE } from '#store/sql/repositories/search-entries';
import type { Store } from '#store/store';
import { createWorld, type World } from '#testing/world';
import { startHousekeeping } from './housekeeping.ts';

afterEach(() => void vi.useRealTimers());

const holdIntervals = (): unknown => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });

/** The number of the oldest kept event, or of the next one. */
async function oldest({ store: { reads } }: World): Promise<number> {
  const [event] = await reads.events.page({ after: 0, limit: 1 });
  return event?.seq ?? (await reads.events.head()) + 1;
}

/** The store of a world, with a count of its transactions. */
function counted({ store }: World): { readonly store: Store; readonly calls: () => number } {
  const { transaction } = store;
  let made = 0;
  const counting: Store['transaction'] = (work) => {
    made++;
    return transaction(work);
  };
  return { store: { ...store, transaction: counting }, calls: () => made };
}

async function withSilentRun(): Promise<World> {
  const world = await createWorld();
  await world.ask('create_execution', { name: 'Fix the roof' });
  world.time.now += QUIET_AFTER_MS + 1_000;
  return world;
}

describe('housekeeping', () => {
  it('marks silent runs within seconds, and removes expired events and keys within a minute', async () => {
    holdIntervals();
    await using world = await createWorld();
    const stop = startHousekeeping(world.store, () => {});
    const { id } = await world.ask('create_execution', { name: 'Fix the roof', idempotency_key: 'once' });
    const { principal_id } = world.owner;

    world.time.now += QUIET_AFTER_MS + 1_000;
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(async () => {
      expect((await world.ask('get_execution', { execution_id: id })).liveness).toBe('quiet');
    });
    const kept = await oldest(world);
    const found = await world.store.reads.idempotency.find(principal_id, 'once');
    world.time.now += EVENTS_KEPT_MS;
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => expect(await oldest(world)).toBeGreaterThan(kept));

    expect(found).not.toBeNull();
    // A clock that is set back would find them, if they still existed.
    world.time.now -= EVENTS_KEPT_MS;
    expect(await world.store.reads.idempotency.find(principal_id, 'once')).toBeNull();
    stop();
  });

  it('removes events as early as the operator says', async () => {
    holdIntervals();
    await using world = await createWorld();
    const limits = { ...DEFAULT_LIMITS, events_kept_ms: HOUR_MS };
    const stop = startHousekeeping(world.store, () => {}, { limits });
    await world.ask('todo_add_task', { user_id: 'me', title: 'Fix the roof' });
    const kept = await oldest(world);

    world.time.now += HOUR_MS + 1;
    await world.ask('todo_add_task', { user_id: 'me', title: 'Paint the roof' });
    vi.advanceTimersByTime(60_000);

    await vi.waitFor(async () => expect(await oldest(world)).toBeGreaterThan(kept));
    stop();
  });

  it('releases claims within a minute after their lease is over', async () => {
    holdIntervals();
    await using world = await createWorld();
    const stop = startHousekeeping(world.store, () => {});
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Fix the roof' });
    await world.ask('next_task', { lease_minutes: 1 });

    world.time.now += 60_000;
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => {
      expect(await world.ask('get_task', { task_id })).toMatchObject({ status: 'todo', is_ready: true });
    });

    stop();
  });

  it('writes nothing for claims until a lease is over', async () => {
    holdIntervals();
    await using world = await createWorld();
    const { task_id } = await world.ask('todo_add_task', { user_id: 'me', title: 'Fix the roof' });
    await world.ask('next_task', { lease_minutes: 10 });
    const { store, calls } = counted(world);
    const stop = startHousekeeping(store, () => {});

    await vi.advanceTimersByTimeAsync(60_000);
    const before = calls();
    world.time.now += 10 * 60_000;
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await world.ask('get_task', { task_id })).toMatchObject({ is_ready: true }));

    expect(calls() - before).toBe(before + 1);
    stop();
  });

  it('writes nothing until a run is silent', async () => {
    holdIntervals();
    await using world = await createWorld();
    const { id } = await world.ask('create_execution', { name: 'Fix the roof' });
    const { store, calls } = counted(world);
    const stop = startHousekeeping(store, () => {});

    await vi.advanceTimersByTimeAsync(15_000);
    world.time.now += QUIET_AFTER_MS + 1_000;
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.waitFor(async () => {
      expect((await world.ask('get_execution', { execution_id: id })).liveness).toBe('quiet');
    });

    expect(calls()).toBe(1);
    stop();
  });

  it('reports a failure and continues, and does not continue after it was stopped', async () => {
    holdIntervals();
    await using world = await withSilentRun();
    const { transaction } = world.store;
    let calls = 0;
    const store: Store = {
      ...world.store,
      transaction: (work) => {
        calls++;
        return calls === 1 ? Promise.reject(new Error('away')) : transaction(work);
      },
    };
    const failures: unknown[] = [];
    const stop = startHousekeeping(store, (error) => failures.push(error));

    await vi.advanceTimersByTimeAsync(5_000);
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.waitFor(() => expect(calls).toBe(2));
    stop();
    await vi.advanceTimersByTimeAsync(120_000);

    expect(failures).toEqual([new Error('away')]);
    expect(calls).toBe(2);
  });

  it('removes unused MCP sessions', async () => {
    holdIntervals();
    await using world = await createWorld();
    const stop = startHousekeeping(world.store, () => {}, { session_idle_ms: 1_000 });
    const count = () => world.store.transaction((tx) => tx.clientSessions.count());
    await world.gateway.client_sessions.open(world.owner, 'idle', '{}');
    world.time.now += 1_000;
    await world.gateway.client_sessions.open(world.owner, 'used', '{}');
    const before = await count();

    world.time.now += 1;
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await count()).toBe(1));

    expect(before).toBe(2);
    stop();
  });

  it('removes sessions of browsers that ended a month ago', async () => {
    holdIntervals();
    await using world = await createWorld();
    const stop = startHousekeeping(world.store, () => {});
    const { workspace_id, user_id, token_id } = await world.callerWith({ name: 'Browser', scopes: ['todo:read'] });
    const { hasEnded } = world.store.reads.browserSessions;
    await world.store.transaction(async (tx) => {
      if (token_id === null) throw new Error('The caller has no token.');
      const seen = { device: 'Firefox', address: '10.0.0.1', created_at: tx.now, seen_at: tx.now };
      await tx.browserSessions.insert({ token_id, workspace_id, user_id, ...seen });
      await tx.tokens.revoke(workspace_id, token_id, tx.now);
    });

    world.time.now += ENDED_SESSIONS_KEPT_MS;
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    world.time.now += 1;
    const kept = await hasEnded(ENDED_SESSIONS_KEPT_MS);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await vi.waitFor(async () => expect(await hasEnded(0)).toBe(false));

    expect(kept).toBe(true);
    stop();
  });

  it('counts the tasks of a large project within a minute, and files them in the search index within two', async () => {
    holdIntervals();
    await using world = await createWorld();
    const { upkeep } = world.store.reads;
    const { project_id } = await world.ask('admin_add_project', { name: 'Shop' });
    const tasks = Array.from({ length: 100 }, (_, at) => ({ ref: String(at), title: `Water ${at}` }));
    for (let made = 0; made <= SEGMENT_SIZE.sqlite; made += tasks.length) {
      await world.ask('create_tasks', { project_id, tasks });
    }
    const waiting = [await upkeep.hasUncounted(), await upkeep.hasUnfiled()];
    const stop = startHousekeeping(world.store, () => {});

    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await upkeep.hasUncounted()).toBe(false));
    world.time.now += 60_000;
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await upkeep.hasUnfiled()).toBe(false));

    expect(waiting).toEqual([true, true]);
    stop();
  });

  it('does not start a chore again that is still running', async () => {
    holdIntervals();
    await using world = await withSilentRun();
    const held = Promise.withResolvers<boolean>();
    let calls = 0;
    const transaction = () => {
      calls++;
      return held.promise;
    };
    const stop = startHousekeeping(
      { ...world.store, transaction: transaction as typeof world.store.transaction },
      () => {},
    );

    await vi.advanceTimersByTimeAsync(25_000);

    expect(calls).toBe(1);
    held.resolve(false);
    stop();
  });
});
