import { type BoardRow, hasFailed, isActive } from '#domain/attempt';
import type { WorkItemId } from '#domain/ids';
import { isReady } from '#domain/ready';
import type { ReadWork } from '#services/work';
import { boundAttempt } from './lookup.ts';

/** A task as the board shows it. */
export interface SeenTask {
  readonly row: BoardRow;
  readonly is_ready: boolean;
}

/** The rows as the caller may see them: for one who works within an attempt there is no other. */
export async function seenTasks(work: ReadWork, rows: readonly BoardRow[], now: number): Promise<readonly SeenTask[]> {
  const own = await boundAttempt(work);
  return rows.map((row) => ({
    row:
      own === null
        ? row
        : {
            ...row,
            latest_attempt_id: own.id,
            latest_branch: own.branch,
            latest_session_id: own.latest_session_id,
            latest_session_executor: own.latest_session_executor,
            has_in_progress_attempt: isActive(own.run_status),
            last_attempt_failed: hasFailed(own.run_status),
          },
    is_ready: isReady(row, now),
  }));
}

/** A task that was found before. */
export async function seenTask(work: ReadWork, id: WorkItemId, now: number): Promise<SeenTask> {
  const row = await work.tx.board.task(work.within, id);
  const [seen] = row === null ? [] : await seenTasks(work, [row], now);
  if (seen === undefined) throw new Error(`task ${id} has no row on the board`);
  return seen;
}
