import { say } from '#advice';
import { type Attempt, isActive } from '#domain/attempt';
import type { AttemptId, RunId } from '#domain/ids';
import { emitAttempt } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { applyRunEvent } from '#services/runs/apply-event';
import type { TaskerAdapter } from '#services/tasker/adapter';
import type { WriteWork } from '#services/work';
import { readAttempt } from './attempt-view.ts';
import { cancelAll, runInProgress } from './follow-ups.ts';
import { attemptOf } from './lookup.ts';
import { cancelUnread } from './messages.ts';
import { createStartAttempt } from './start-attempt.ts';
import { stopJobs } from './stop-jobs.ts';
import { createVerifyAttempt } from './verify-attempt.ts';

interface StopOrder {
  readonly attempt_id: AttemptId;
  /** Stops only this run, and leaves the queued follow-ups. */
  readonly execution_id?: RunId | undefined;
}

interface Stopped {
  readonly attempt_id: AttemptId;
  /** Whether there was a run to stop. */
  readonly stopping: boolean;
  /** How many follow-ups were waiting. */
  readonly cancelled: number;
}

/** Attempts at tasks. Each has its own branch and folders, in which agents run one after another. */
export function createAttempts(ports: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) {
  return {
    start: createStartAttempt(ports, adapter),
    get: readAttempt,
    verify: createVerifyAttempt(ports),

    /** Stops the run of an attempt and cancels its follow-ups; with a run given, stops that run only. */
    stop: async (work: WriteWork, { attempt_id: id, execution_id }: StopOrder): Promise<Stopped> => {
      const { tx } = work;
      const attempt = await attemptOf(work, id);
      await stopJobs(tx, ports.ids, attempt);
      // Before the run ends: its end would start the next follow-up.
      const cancelled = execution_id === undefined ? await cancelAll(tx, attempt) : 0;
      if (execution_id === undefined) await cancelUnread(tx, attempt);
      const [latest] = await tx.attempts.runs(attempt, 1);
      const isMeant = latest !== undefined && (execution_id ?? latest.id) === latest.id;
      const entry = isMeant && latest.ended_at === null ? await tx.queue.find(latest) : null;
      // A queued run ends at once. A running one is stopped by its worker.
      if (entry !== null) await applyRunEvent({ tx, ids: ports.ids, caller: work.caller }, entry, { type: 'stop' });
      work.changed(attempt, { ...attempt, stopping: entry !== null, cancelled });
      return { attempt_id: id, stopping: entry !== null, cancelled };
    },

    /** Asks the worker on the attempt's machine to remove its folders; false when it has none. */
    removeFolders: async (work: WriteWork, id: AttemptId): Promise<boolean> => {
      const { tx } = work;
      const attempt = await attemptOf(work, id);
      if (isActive(attempt.run_status)) throw runInProgress(attempt, say`${{ call: 'stop_attempt' }} first.`);
      if (attempt.host_id === null) return false;
      const after: Attempt = { ...attempt, removal: 'requested', updated_at: tx.now };
      await tx.attempts.update(after);
      await emitAttempt(tx, 'updated', after);
      work.changed(attempt, after);
      return true;
    },
  };
}
