import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { internalError } from '#changes';
import type { TaskLimits } from '#limits';
import type { TaskStore } from '#store';
import type { Lease, TaskRecord } from '#task';
import type { TaskTool, WorkerOptions } from '#tasks';
import type { ChangeTask } from './change-task.ts';
import { MAX_TIMER_MS } from './check-options.ts';
import { RunningTask } from './running-task.ts';
import { failedStarts, hasBegunBefore } from './starts.ts';

interface Needs {
  readonly store: TaskStore;
  readonly tools: ReadonlyMap<string, TaskTool>;
  readonly options: WorkerOptions;
  readonly poll_interval_ms: number;
  readonly limits: TaskLimits;
  readonly changeTask: ChangeTask;
  readonly report: (error: unknown, task_id: string | null) => void;
}

/** How long `close` tries to hand tasks back. If the store is unavailable, their leases expire by themselves. */
const RELEASE_MS = 2_000;

export interface Reservation {
  readonly lease: Lease;
  /** Starts the created task, or frees the slot when none was created. */
  readonly settle: (record: TaskRecord | null) => void;
}

/** Claims tasks from the store and runs them, at most one per slot at the same time. */
export function createWorker(needs: Needs) {
  const { store, tools, options, limits, changeTask, report, poll_interval_ms } = needs;
  const { worker_id = randomUUID(), concurrency = 16, lease_ms = 30_000, max_attempts = 5 } = options;
  const names = [...tools.keys()];
  const running = new Map<string, RunningTask>();
  const works = new Set<Promise<void>>();
  const reserving = new Set<Promise<void>>();
  let isClosed = false;
  let claiming: Promise<void> | undefined;
  let again = false;

  const freeSlots = (): number =>
    concurrency -
    reserving.size -
    [...running.values()].filter(({ is_waiting, is_stopped }) => !is_waiting && !is_stopped).length;

  function start(record: TaskRecord): void {
    const { task_id, request } = record;
    const tool = tools.get(request.tool);
    if (tool === undefined) return;
    const task = new RunningTask(record, { changeTask, limits, onWaiting: look, report });
    // Stop a run of the same task under an earlier epoch, even if it is in this process.
    running.get(task_id)?.stop();
    running.set(task_id, task);
    const work = begin(task, tool, record)
      .catch((error: unknown) => report(error, task_id))
      .finally(() => {
        task.stop();
        if (running.get(task_id) === task) running.delete(task_id);
        works.delete(work);
        look();
      });
    works.add(work);
  }

  function begin(task: RunningTask, tool: TaskTool, record: TaskRecord): Promise<void> {
    // The task was created or claimed during close: this worker could not finish it.
    if (isClosed) return task.release(false);
    if (tool.resumable === false && hasBegunBefore(record)) return task.refuse(INTERRUPTED);
    if (failedStarts(record) > max_attempts) return task.refuse(EXHAUSTED);
    return task.run(tool.run);
  }

  async function claimAll(): Promise<void> {
    do {
      again = false;
      const limit = freeSlots();
      if (isClosed || limit <= 0 || names.length === 0) return;
      await renewOverdue();
      const claimed = await store.claim({ worker_id, tools: names, lease_ms, limit });
      for (const record of claimed) start(record);
      if (claimed.length === limit) again = true;
    } while (again);
  }

  /** Claims tasks. A call during a claim makes it claim once more afterwards. */
  function look(): void {
    again = true;
    claiming ??= claimAll()
      .catch((error: unknown) => report(error, null))
      .finally(() => {
        claiming = undefined;
        if (again) look();
      });
  }

  function refresh(task_id: string, task: RunningTask): void {
    store.get(task.owner_id, task_id).then(
      (record) => task.update(record),
      (error: unknown) => report(error, task_id),
    );
  }

  function refreshOne(task_id: string): void {
    const task = running.get(task_id);
    if (task !== undefined) refresh(task_id, task);
  }

  function refreshAll(): void {
    for (const [task_id, task] of running) if (!task.is_stopped) refresh(task_id, task);
  }

  async function renew(task_id: string, task: RunningTask): Promise<void> {
    try {
      await task.renew(store.now() + lease_ms);
    } catch (error) {
      if (running.get(task_id) === task) report(error, task_id);
    }
  }

  async function releaseAll(which: (task: RunningTask) => boolean): Promise<void> {
    await Promise.allSettled([...running.values()].filter(which).map((task) => task.release(true)));
  }

  // Without this, a process that was paused for longer than a lease would claim its own tasks and start them again.
  async function renewOverdue(): Promise<void> {
    const now = store.now();
    const overdue = [...running].filter(([, { lease_until, is_stopped }]) => !is_stopped && lease_until <= now);
    await Promise.all(overdue.map(([task_id, task]) => renew(task_id, task)));
  }

  function renewAll(): void {
    for (const [task_id, task] of running) if (!task.is_stopped) void renew(task_id, task);
  }

  const heartbeat = setInterval(renewAll, lease_ms / 3).unref();
  // Keep the process alive: a worker without a task still waits for the next one.
  const poll = setInterval(() => {
    look();
    // When signals are lost, the worker finds a cancellation here.
    refreshAll();
  }, poll_interval_ms);
  look();

  return {
    /** Reserves a slot for a task that is about to be created, if one is free: the creator is then its first worker. */
    reserve: (tool: string): Reservation | null => {
      if (isClosed || !tools.has(tool) || freeSlots() <= 0) return null;
      const { promise, resolve } = Promise.withResolvers<void>();
      reserving.add(promise);
      return {
        lease: { worker_id, until: store.now() + lease_ms },
        settle: (record) => {
          reserving.delete(promise);
          resolve();
          if (record === null) look();
          else start(record);
        },
      };
    },
    signal: (task_id: string | null, claimable: boolean): void => {
      if (claimable) look();
      if (task_id === null) refreshAll();
      else refreshOne(task_id);
    },
    close: async (grace_ms: number): Promise<void> => {
      isClosed = true;
      clearInterval(poll);
      await atMost(RELEASE_MS, Promise.all([claiming, ...reserving]));
      // Tasks that wait for input are not waited for: an answer may take days.
      await atMost(
        RELEASE_MS,
        releaseAll(({ is_waiting }) => is_waiting),
      );
      await atMost(grace_ms, Promise.allSettled(works));
      clearInterval(heartbeat);
      await atMost(
        RELEASE_MS,
        releaseAll(() => true),
      );
      for (const task of running.values()) task.stop();
    },
  };
}

/** Waits at most `ms`. Keeps the process alive: otherwise it could exit before its tasks are handed back. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([
    work,
    sleep(Math.min(ms, MAX_TIMER_MS), undefined, { signal: over.signal }).catch(() => undefined),
  ]);
  over.abort();
}

const INTERRUPTED = internalError('The work was interrupted, and is not of a kind that can be started again.');
const EXHAUSTED = internalError('The work was started too often without coming to an end.');
