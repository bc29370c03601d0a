import { say } from '#advice';
import { isActive } from '#domain/attempt';
import type { AttemptId, RunId } from '#domain/ids';
import { shownName } from '#domain/key';
import { ErrandError } from '#errors';
import type { Ports } from '#services/ports';
import { enqueueRun } from '#services/runs/enqueue';
import type { WriteWork } from '#services/work';
import { runInProgress } from './follow-ups.ts';
import { attemptOf } from './lookup.ts';

/** Runs the checks of an attempt once more, without its agent. */
export const createVerifyAttempt =
  ({ ids }: Pick<Ports, 'ids'>) =>
  async (work: WriteWork, id: AttemptId): Promise<{ readonly attempt_id: AttemptId; readonly execution_id: RunId }> => {
    const { tx, caller } = work;
    const attempt = await attemptOf(work, id);
    if (isActive(attempt.run_status)) throw runInProgress(attempt, say`${{ call: 'stop_attempt' }} to end it first.`);
    const [session] = await tx.attempts.sessions(attempt);
    if (attempt.merged_at !== null || attempt.archived_at !== null || session === undefined) {
      throw new ErrandError(
        'conflict',
        `Attempt ${shownName(attempt)} has no work to check: it is merged, archived or not begun.`,
        {
          hint: say`${{ call: 'start_task_attempt' }} for a new one.`,
        },
      );
    }
    if ((await tx.workers.live()).length === 0) {
      throw new ErrandError('no_worker', 'No worker runs that could check it.', {
        hint: say`Start the server with ${{ command: 'serve' }}.`,
      });
    }
    const run = await enqueueRun(tx, ids, {
      attempt,
      session,
      prompt: 'Run the checks.',
      variant: null,
      name: 'Checks',
      is_check: true,
      user_id: caller.user_id,
      agent_id: caller.agent_id,
    });
    const answer = { attempt_id: attempt.id, execution_id: run.id };
    work.changed(null, answer);
    return answer;
  };
