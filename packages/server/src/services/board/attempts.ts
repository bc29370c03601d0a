import { type Attempt, isActive } from '#domain/attempt';
import type { AttemptId, RunId } from '#domain/ids';
import type { QueuedRun } from '#domain/queued-run';
import { tellAttempt } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { finishRun } from '#services/runs/finish';
import { runEvent } from '#services/runs/run-events';
import type { TaskerAdapter } from '#services/tasker/adapter';
import type { WriteWork } from '#services/work';
import { readAttempt } from './attempt-view.ts';
import { cancelAll, runInProgress } from './follow-ups.ts';
import { attemptOf } from './lookup.ts';
import { createStartAttempt } from './start-attempt.ts';

interface StopOrder {
  readonly attempt_id: AttemptId;
  /** End this run and nothing else. */
  readonly execution_id?: RunId | undefined;
}

interface Stopped {
  readonly attempt_id: AttemptId;
  /** Whether there was a run to end. */
  readonly stopping: boolean;
  /** How many follow-ups were waiting. */
  readonly cancelled: number;
}

/** Attempts at tasks: a branch and folders of its own for each, in which agents run one after another. */
export function createAttempts(ports: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) {
  /** What nobody has taken yet ends at once; what runs is ended by whoever has it. */
  async function endRun({ tx, caller }: WriteWork, entry: QueuedRun): Promise<void> {
    if (entry.run.status === 'queued') {
      await finishRun(tx, ports.ids, entry, { status: 'killed', reason: 'stopped' });
    } else if (entry.stop_requested_at === null) {
      await tx.queue.update({ ...entry, stop_requested_at: tx.now });
      tx.emit(runEvent('updated', entry.run, caller));
    }
  }

  return {
    start: createStartAttempt(ports, adapter),
    get: readAttempt,

    /** Ends what runs, and what would run next: whoever stops an attempt wants it to rest, unless they name a run. */
    stop: async (work: WriteWork, { attempt_id: id, execution_id }: StopOrder): Promise<Stopped> => {
      const { tx } = work;
      const attempt = await attemptOf(work, id);
      // Before the run ends, or its end would begin the next.
      const cancelled = execution_id === undefined ? await cancelAll(tx, attempt) : 0;
      const [latest] = await tx.attempts.runs(attempt, 1);
      const isMeant = latest !== undefined && (execution_id ?? latest.id) === latest.id;
      const entry = isMeant && latest.ended_at === null ? await tx.queue.find(latest.id) : null;
      if (entry !== null) await endRun(work, entry);
      work.changed(attempt, { ...attempt, stopping: entry !== null, cancelled });
      return { attempt_id: id, stopping: entry !== null, cancelled };
    },

    /** Asks for its folders to be removed where they are; false when there are none. */
    removeFolders: async (work: WriteWork, id: AttemptId): Promise<boolean> => {
      const { tx } = work;
      const attempt = await attemptOf(work, id);
      if (isActive(attempt.run_status)) throw runInProgress(attempt, 'Call stop_attempt first.');
      if (attempt.host_id === null) return false;
      const after: Attempt = { ...attempt, removal: 'requested', updated_at: tx.now };
      await tx.attempts.update(after);
      await tellAttempt(tx, 'updated', after);
      work.changed(attempt, after);
      return true;
    },
  };
}
