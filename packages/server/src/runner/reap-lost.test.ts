import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunId } from '#domain/ids';
import { createRunQueue } from '#services/runs/queue';
import { createWorkers } from '#services/runs/workers';
import { createUuidV7 } from '#store/uuid-v7';
import { aBoard, anExecutor, aWorker } from '#testing/attempts';
import { countedIds, createWorld } from '#testing/world';
import { createAttemptFolders } from './git/attempt-folders.ts';
import { readMachine } from './process/machine.ts';
import { createProcesses } from './process/processes.ts';
import { createReaper } from './reap-lost.ts';

const LEASE_MS = 30_000;

/** A run that `worker-1` of `host-1` has lost, and a reaper on another machine. */
async function aLostRun() {
  const world = await createWorld();
  const data = await mkdtemp(join(tmpdir(), 'errand-reap-'));
  const board = await aBoard(world);
  const worker = await aWorker(world);
  await board.start();
  const claimed = await worker.take();
  await worker.beginSpawn(claimed);

  const report = (error: unknown): void => {
    throw error;
  };
  const machine = { ...readMachine(data, { ids: createUuidV7(Date.now), clock: Date.now }), host_id: 'host-2' };
  const reaperOf = async (worker_id: string, active: readonly RunId[] = []) =>
    createReaper({
      worker_id,
      queue: createRunQueue(world.store, countedIds()),
      workers: createWorkers(world.store, { ids: countedIds(), budgets: world.budgets }),
      processes: await createProcesses({ machine, isolation: 'off', hides: [], report }),
      attemptFolders: createAttemptFolders({ root: join(data, 'attempts') }),
      machine,
      lease_ms: LEASE_MS,
      isActive: (execution_id) => active.includes(execution_id),
      report,
    });
  return {
    world,
    claimed,
    reaperOf,
    pass: (ms: number) => {
      world.time.now += ms;
    },
    status: async () => (await world.store.reads.queue.findForWorker(claimed.execution_id))?.run.status,
    [Symbol.asyncDispose]: async () => {
      await world.store.close();
      await rm(data, { recursive: true });
    },
  };
}

describe('clearing up after lost runs', () => {
  it('ends a run of another machine that has no worker left', async () => {
    await using site = await aLostRun();
    const reaper = await site.reaperOf('worker-9');
    site.pass(LEASE_MS + 1);

    await reaper.reap();

    expect(await site.status()).toBe('interrupted');
  });

  it('leaves a run to workers on its machine, which can end its processes, but not for ever', async () => {
    await using site = await aLostRun();
    const reaper = await site.reaperOf('worker-9');
    site.pass(LEASE_MS + 1);
    await aWorker(site.world, [anExecutor()], 'worker-2');

    await reaper.reap();
    const soon = await site.status();
    site.pass(2 * LEASE_MS);
    await aWorker(site.world, [anExecutor()], 'worker-2');
    await reaper.reap();

    expect([soon, await site.status()]).toEqual(['running', 'interrupted']);
  });

  it('leaves a run alone that its own worker runs, and ends one that its worker does not know', async () => {
    await using site = await aLostRun();
    const active = await site.reaperOf('worker-1', [site.claimed.execution_id]);
    const idle = await site.reaperOf('worker-1');
    site.pass(LEASE_MS + 1);

    await active.reap();
    const before = await site.status();
    await idle.reap();

    expect([before, await site.status()]).toEqual(['running', 'interrupted']);
  });
});
