import { expect, it } from 'vitest';
import type { Attempt } from '#domain/attempt';
import type { RunId, SessionId, TokenId } from '#domain/ids';
import type { QueueEntry } from '#domain/queued-run';
import type { Run } from '#domain/run';
import type { Store } from '#store/store';
import { aWorker, settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';
import { aRun } from './tracker-fixture.ts';

const LEASE_MS = 60_000;

const now = (store: Store): Promise<number> => store.transaction(async (tx) => tx.now);

const idsOf = (entries: readonly Pick<QueueEntry, 'execution_id'>[]) =>
  entries.map(({ execution_id }) => execution_id).toSorted();

/** The queue of runs, and who takes from it. */
export function describeRunQueue(open: OpenFixture): void {
  it('[12.1] keeps every field of a queued run, and changes fields of this run only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session, enqueue } = await settleBoard(store);
    const its = await session(await attempt());
    const [made, other] = [await enqueue(its, { status: 'queued' }), await enqueue(its)];
    const changed = {
      variant: 'fast',
      epoch: 3,
      worker_id: 'worker-1',
      lease_until: 1_700_000_000_001,
      host_id: 'host-1',
      spawned_at: 4,
      boot_id: 'boot-1',
      pid: 5,
      pid_started: '50',
      stop_requested_at: 6,
      token_id: anId<TokenId>(),
    };
    const fixed = { session_id: anId<SessionId>(), executor: 'stays', prompt: 'stays' };
    const { find } = store.reads.queue;

    expect(await find(made.run)).toEqual(made);
    await store.transaction((tx) => tx.queue.update({ ...made, ...fixed, ...changed }));

    expect(await find(made.run)).toEqual({ ...made, ...changed });
    expect(await find(other.run)).toEqual(other);
    expect(await find({ ...made.run, id: anId<RunId>() })).toBeNull();
  });

  it('[12.2] finds runs that wait for a worker: queued, unclaimed, of one of its executors, oldest first', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session, enqueue } = await settleBoard(store);
    const add = async (run: Partial<Run>, fields: Partial<QueueEntry> = {}) =>
      enqueue(await session(await attempt()), run, fields);
    const first = await add({ status: 'queued' });
    const second = await add({ status: 'queued' }, { executor: 'planter' });
    await add({ status: 'queued' }, { executor: 'unknown here' });
    await add({ status: 'queued' }, { worker_id: 'worker-1' });
    await add({ status: 'running' });
    await add({ status: 'completed' });
    const query = { executors: ['planter', 'digger'], host_id: 'host-1', limit: 9 };
    const { waiting } = store.reads.queue;

    expect(await waiting(query)).toEqual([first, second]);
    expect(await store.transaction((tx) => tx.queue.waiting(query))).toEqual([first, second]);
    expect(await waiting({ ...query, limit: 1 })).toEqual([first]);
    expect(await waiting({ ...query, executors: [] })).toEqual([]);
  });

  it('[12.2] lets a run wait while another of its attempt is running, but not for an external one', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, attempt, session, enqueue } = await settleBoard(store);
    const made = await attempt();
    const running = await enqueue(await session(made), { status: 'running' });
    const next = await enqueue(await session(made), { status: 'queued' });
    const waiting = async () =>
      idsOf(await store.reads.queue.waiting({ executors: ['digger'], host_id: 'host-1', limit: 9 }));

    expect(await waiting()).toEqual([]);
    await store.transaction(async (tx) => {
      await tx.runs.update({ ...running.run, status: 'failed' });
      await tx.runs.insert(aRun(garden.project, user, { attempt_id: made.id }));
    });

    expect(await waiting()).toEqual([next.execution_id]);
  });

  it('[12.2] leaves runs to the machine that has their folders, until no worker there has a valid lease', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session, enqueue } = await settleBoard(store);
    const on = async (fields: Partial<Attempt>) => enqueue(await session(await attempt(fields)), { status: 'queued' });
    const [nowhere, here, there, gone] = [
      await on({}),
      await on({ host_id: 'here' }),
      await on({ host_id: 'there' }),
      await on({ host_id: 'gone' }),
    ];
    await store.transaction(async (tx) => {
      await tx.workers.put(aWorker({ host_id: 'there', lease_until: tx.now + LEASE_MS }));
      await tx.workers.put(aWorker({ host_id: 'here', lease_until: tx.now + LEASE_MS }));
      await tx.workers.put(aWorker({ host_id: 'gone', lease_until: tx.now - 1 }));
    });
    const query = { executors: ['digger'], host_id: 'here', limit: 9 };
    const waiting = async () => {
      const outside = idsOf(await store.reads.queue.waiting(query));
      expect(idsOf(await store.transaction((tx) => tx.queue.waiting(query)))).toEqual(outside);
      return outside;
    };

    expect(await waiting()).toEqual(idsOf([nowhere, here, gone]));
    await fixture.elapse(2 * LEASE_MS);

    expect(await waiting()).toEqual(idsOf([nowhere, here, there, gone]));
  });

  it('[12.3] finds the runs of a worker, and the lost ones: by the clock of the store, or with their workers', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session, enqueue } = await settleBoard(store);
    const lease_until = (await now(store)) + LEASE_MS;
    const add = async (run: Partial<Run>, fields: Partial<QueueEntry>) =>
      enqueue(await session(await attempt()), { status: 'running', ...run }, { lease_until, ...fields });
    const held = await add({}, { worker_id: 'worker-1' });
    const other = await add({}, { worker_id: 'worker-2' });
    const late = await add({}, { worker_id: 'worker-1', lease_until: lease_until - LEASE_MS - 1 });
    const unheld = await add({}, { lease_until: null });
    await add({ status: 'completed' }, { worker_id: 'worker-1', lease_until: 1 });
    await add({ status: 'queued' }, { lease_until: null });
    const lost = async (...workers: readonly string[]) => {
      const outside = idsOf(await store.reads.queue.lost(workers));
      expect(idsOf(await store.transaction((tx) => tx.queue.lost(workers)))).toEqual(outside);
      return outside;
    };

    expect(idsOf(await store.reads.queue.heldBy('worker-1'))).toEqual(idsOf([held, late]));
    expect(await store.reads.queue.heldBy('worker-2')).toEqual([other]);
    expect(await lost()).toEqual(idsOf([late, unheld]));
    expect(await lost('worker-2', 'worker-3')).toEqual(idsOf([late, unheld, other]));
    await fixture.elapse(2 * LEASE_MS);

    expect(await lost()).toEqual(idsOf([held, other, late, unheld]));
  });

  it('[12.4] knows which workers are alive, and all of a machine', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const at = await now(store);
    const [first, second] = [
      aWorker({ started_at: 1, lease_until: at + LEASE_MS }),
      aWorker({ started_at: 2, host_id: 'host-2', lease_until: at + LEASE_MS }),
    ];
    const late = aWorker({ started_at: 3, lease_until: at - 1 });
    await store.transaction(async (tx) => {
      for (const worker of [late, second, first]) await tx.workers.put(worker);
    });
    const { live, onHost } = store.reads.workers;

    expect(await live()).toEqual([first, second]);
    expect(await store.transaction((tx) => tx.workers.live())).toEqual([first, second]);
    expect(await onHost('host-1')).toEqual([first, late]);
    const again = { ...late, pid: 8, executors: '[{}]', max_runs: 4, lease_until: at + LEASE_MS };
    await store.transaction(async (tx) => {
      await tx.workers.put(again);
      await tx.workers.remove(second.id);
    });
    expect(await live()).toEqual([first, again]);
    await fixture.elapse(2 * LEASE_MS);

    expect(await live()).toEqual([]);
  });

  it('[12.4] removes workers without a recent heartbeat, unless they have a run', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session, enqueue } = await settleBoard(store);
    const [gone, busy, idle, recent] = [
      aWorker({ lease_until: 9 }),
      aWorker({ lease_until: 9 }),
      aWorker({ lease_until: 9 }),
      aWorker({ lease_until: 10 }),
    ];
    await store.transaction(async (tx) => {
      for (const worker of [gone, busy, idle, recent]) await tx.workers.put(worker);
    });
    const its = await session(await attempt());
    await enqueue(its, { status: 'running' }, { worker_id: busy.id });
    await enqueue(its, { status: 'completed' }, { worker_id: idle.id });

    expect(await store.transaction((tx) => tx.workers.sweep(10))).toBe(2);

    const left = (await store.reads.workers.onHost('host-1')).map(({ id }) => id);
    expect(left.toSorted()).toEqual([busy.id, recent.id].toSorted());
  });
}
