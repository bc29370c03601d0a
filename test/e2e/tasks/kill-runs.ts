import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskRecord } from '../../../packages/tasks/src/task.ts';
import { openJournal } from './journal.ts';
import { answerAll, openObserver } from './observer.ts';
import { judge } from './oracle.ts';
import type { Place } from './place.ts';
import type { Plant } from './plants.ts';
import type { Point } from './watched-store.ts';
import { type Order, startWorker } from './worker-process.ts';

export interface KillRuns {
  readonly place: Place;
  readonly folder: string;
  /** The points at which workers are killed, one run each. */
  readonly points: readonly Point[];
  readonly plant?: Plant | undefined;
  /** The clock errors: of the killed workers, and of the worker that takes over. */
  readonly skews_ms?: readonly [number, number];
  /** How long a task may take after its last kill. */
  readonly patience_ms?: number;
}

export interface Verdict {
  readonly faults: readonly string[];
  /** How many workers were killed at their point. */
  readonly killed: number;
  /** The ended tasks; null for a task that did not end in time. */
  readonly records: readonly (TaskRecord | null)[];
}

/** Long enough for a worker on a busy machine to renew it in time: a lease that it loses is a fault here. */
const LEASE_MS = 3_000;
const POLL_MS = 50;

/** Kills one worker after another, each at its point. Another worker takes their tasks over. Then checks every task. */
export async function killRuns(runs: KillRuns): Promise<Verdict> {
  const { place, folder, points, plant, skews_ms: [doomed_skew, rescuer_skew] = [0, 0], patience_ms = 60_000 } = runs;
  const journal = join(folder, 'journal');
  const order = { place, journal, plant, poll_interval_ms: POLL_MS } satisfies Partial<Order>;
  const worker = { lease_ms: LEASE_MS, max_attempts: 1_000 };
  const prepare = () => startWorker({ skew_ms: doomed_skew });

  const observer = await openObserver(place, POLL_MS);
  await using rescuer = startWorker({ skew_ms: rescuer_skew });
  await rescuer.open({ ...order, worker, claims: true });
  let next = prepare();
  let killed = 0;
  const waits: Promise<TaskRecord | null>[] = [];
  try {
    for (const [run, point] of points.entries()) {
      await using doomed = next;
      next = prepare();
      const owner_id = ownerOf(run, point);
      await doomed.open({ ...order, worker, claims: false, at: { point, act: 'SIGKILL' } });
      const task_id = await doomed.create(owner_id);
      answerAll(observer, owner_id, task_id);
      // With a planted fault the worker may outlive its task, or the task may be lost.
      const outlived = observer
        .wait(owner_id, task_id)
        .catch(() => null)
        .then(() => sleep(500, null));
      const signal = await (plant === undefined ? doomed.exit : Promise.race([doomed.exit, outlived]));
      if (signal === 'SIGKILL') killed++;
      const patience = AbortSignal.timeout(patience_ms);
      waits.push(observer.wait(owner_id, task_id, { signal: patience }).catch(() => null));
    }
    const records = await Promise.all(waits);
    const entries = openJournal(journal).read();
    const faults = records.flatMap((record, run) => judge(entries, ownerOf(run, points[run]), record));
    return { faults, killed, records };
  } finally {
    await next[Symbol.asyncDispose]();
    await observer.close();
  }
}

const ownerOf = (run: number, point: Point | undefined): string => `${run} ${point}`;
