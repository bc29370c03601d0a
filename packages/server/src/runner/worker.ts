import { randomUUID } from 'node:crypto';
import type { ExecutionId } from '#domain/ids';
import type { Worker as WorkerRow } from '#domain/worker';
import type { Removals } from '#services/runs/removals';
import type { Workers } from '#services/runs/workers';
import { createReaper } from './reap-lost.ts';
import { removeFolders } from './remove-folders.ts';
import { type ActiveRun, type RunNeeds, startRun } from './run-one.ts';
import { createTurns } from './turns.ts';

export interface WorkerNeeds extends Omit<RunNeeds, 'preparing'> {
  readonly workers: Workers;
  readonly removals: Removals;
  /** Calls back soon after anything has changed. Returns the way to stop. */
  readonly watch: (listener: () => void) => () => void;
  readonly max_runs: number;
  readonly lease_ms: number;
}

export interface RunningWorker {
  readonly id: string;
  /** How many runs it has. */
  readonly active: () => number;
  /** Takes no more runs, ends those that it has, and says goodbye. */
  readonly close: () => Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const PREPARED_AT_ONCE = 4;

/** Takes runs from the queue and does them, until it is closed. */
export async function startWorker(needs: WorkerNeeds): Promise<RunningWorker> {
  const { queue, workers, executors, machine, watch, max_runs, lease_ms, report } = needs;
  const id = randomUUID();
  const active = new Map<ExecutionId, ActiveRun>();
  const preparing = createTurns(PREPARED_AT_ONCE);
  const reaper = createReaper({ ...needs, worker_id: id });
  let isClosing = false;

  async function beat(): Promise<void> {
    const row: Omit<WorkerRow, 'started_at' | 'lease_until'> = {
      id,
      host_id: machine.host_id,
      host_name: machine.host_name,
      boot_id: machine.boot_id,
      pid: process.pid,
      pid_started: machine.pid_started,
      executors: JSON.stringify(await executors.offers()),
      max_runs,
    };
    const holds = [...active.values()].map(({ claimed: { execution_id, epoch } }) => ({ execution_id, epoch }));
    for (const lost of await workers.beat({ ...row, lease_ms }, holds)) active.get(lost)?.cut('lost');
    await reaper.reap();
    await removeFolders(needs.removals, needs.workspaces, machine.host_id);
  }

  /** What this worker can take now, and how many of each. */
  async function room(): Promise<ReadonlyMap<string, number | null>> {
    const ready = (await executors.offers()).filter(({ is_ready }) => is_ready);
    return new Map(
      ready.flatMap(({ executor }): [string, number | null][] => {
        const most = executors.resolve(executor, null)?.max_runs ?? null;
        if (most === null) return [[executor, null]];
        const held = [...active.values()].filter(({ claimed }) => claimed.run.executor === executor).length;
        return held < most ? [[executor, most - held]] : [];
      }),
    );
  }

  async function take(): Promise<void> {
    const limit = max_runs - active.size;
    if (limit <= 0 || isClosing) return;
    const request = { worker_id: id, host_id: machine.host_id, lease_ms, executors: await room(), limit };
    if (!(await queue.hasWaiting(request))) return;
    for (const claimed of await queue.claim(request)) {
      const run = startRun(claimed, { ...needs, preparing });
      active.set(claimed.execution_id, run);
      void run.done.finally(() => {
        active.delete(claimed.execution_id);
        look();
      });
    }
  }

  async function lookOnce(): Promise<void> {
    if (active.size > 0) {
      for (const execution_id of await workers.toStop(id)) active.get(execution_id)?.cut('stopped');
      await Promise.all([...active.values()].map((run) => run.lookForAnswers()));
    }
    await take();
  }

  const looking = createRepeated(lookOnce, report);
  const beating = createRepeated(beat, report);
  const look = (): void => {
    if (!isClosing || active.size > 0) looking.again();
  };

  await beat();
  const unwatch = watch(look);
  const timers = [setInterval(look, LOOK_EVERY_MS), setInterval(beating.again, lease_ms / 3)];
  look();

  return {
    id,
    active: () => active.size,
    close: async () => {
      isClosing = true;
      for (const run of active.values()) run.cut('shutdown');
      await Promise.all([...active.values()].map(({ done }) => done));
      for (const timer of timers) clearInterval(timer);
      unwatch();
      await Promise.all([looking.settled(), beating.settled()]);
      await workers.leave(id).catch(report);
    },
  };
}

/** Work that is done again when it was asked for meanwhile, and never twice at once. */
function createRepeated(work: () => Promise<void>, report: (error: unknown) => void) {
  let running: Promise<void> | null = null;
  let isWanted = false;

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await work().catch(report);
    }
    running = null;
  }

  return {
    again: (): void => {
      isWanted = true;
      running ??= run();
    },
    settled: async (): Promise<void> => {
      await running;
    },
  };
}
