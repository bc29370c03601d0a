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

export interface StopRuns {
  readonly place: Place;
  readonly folder: string;
  readonly runs: number;
  /** The point at which the first worker is paused. */
  readonly point: Point;
  readonly plant?: Plant | undefined;
}

const SHORT_LEASE_MS = 500;
const LONG_LEASE_MS = 60_000;
const POLL_MS = 50;
const PATIENCE_MS = 60_000;
const WAKE_EVERY_MS = 20;
/** Longer than a forbidden second write takes. */
const SECOND_TRY_MS = 50;

/**
 * Pauses a worker that is about to finish until another has claimed the task; resumes it alternately while that one is
 * about to finish too, and after that one has finished. Then checks every task.
 */
export async function stopRuns({ place, folder, runs, point, plant }: StopRuns): Promise<readonly string[]> {
  const journal = join(folder, 'journal');
  const order = { place, journal, plant, poll_interval_ms: POLL_MS } satisfies Partial<Order>;
  const observer = await openObserver(place, POLL_MS);
  try {
    await using sleeper = startWorker();
    await using taker = startWorker();
    const stop = { point, act: 'SIGSTOP' } as const;
    const wait = { point: 'end: before write', act: 'wait' } as const;
    await sleeper.open({ ...order, worker: { lease_ms: SHORT_LEASE_MS }, claims: false, at: stop });
    await taker.open({ ...order, worker: { lease_ms: LONG_LEASE_MS }, claims: false, at: wait });

    const records: (TaskRecord | null)[] = [];
    for (let run = 0; run < runs; run++) {
      const owner_id = `run ${run}`;
      const task_id = await sleeper.create(owner_id);
      answerAll(observer, owner_id, task_id);
      const ended = observer.wait(owner_id, task_id, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
      const finish = async (): Promise<void> => {
        taker.goOn();
        records.push(await ended);
      };
      const wakeUp = async (): Promise<void> => {
        // Repeat the signal: a busy machine may not have paused the worker yet.
        const waking = setInterval(() => sleeper.signal('SIGCONT'), WAKE_EVERY_MS);
        await sleeper.hear('tried', owner_id).finally(() => clearInterval(waking));
        await sleep(SECOND_TRY_MS);
      };
      // Claim only now: on a busy machine the short lease may also end before the worker has come to its point.
      await sleeper.hear('reached', owner_id);
      await taker.setClaims(true);
      await taker.hear('reached', owner_id);
      await taker.setClaims(false);
      for (const act of run % 2 === 0 ? [wakeUp, finish] : [finish, wakeUp]) await act();
    }
    const entries = openJournal(journal).read();
    return records.flatMap((record, run) => judge(entries, `run ${run}`, record));
  } finally {
    await observer.close();
  }
}
