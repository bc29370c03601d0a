import { type BoardRow, hasFailed, isActive } from '#domain/attempt';
import type { WorkItemId } from '#domain/ids';
import { isReady } from '#domain/ready';
import type { ReadWork } from '#services/work';
import { boundAttempt } from './lookup.ts';

/** A task in the board's form. */
export interface SeenTask {
  readonly row: BoardRow;
  readonly is_ready: boolean;
}

/** The rows in the form for this caller: a caller within an attempt sees no other attempts. */
export async function seenTasks(work: ReadWork, rows: readonly BoardRow[], now: number): Promise<readonly SeenTask[]> {
  const own = await boundAttempt(work);
  return rows.map((row) => ({
    row:
      own === null
        ? row
        : {
            ...row,
            latest_attempt_id: own.id,
            latest_attempt_key: own.key,
            verdict: own.verdict,
            attempt_state: own.state,
            last_failure_line: own.last_failure_line,
            latest_branch: own.branch,
            latest_session_id: own.latest_session_id,
            latest_session_executor: own.latest_session_executor,
            has_in_progress_attempt: isActive(own.run_status),
            last_attempt_failed: hasFailed(own.run_status),
          },
    is_ready: isReady(row, now),
  }));
}

/** Reads a task whose access was checked before. */
export async function seenTask(work: ReadWork, id: WorkItemId, now: number): Promise<SeenTask> {
  const row = await work.tx.board.task(work.within, id);
  const [seen] = row === null ? [] : await seenTasks(work, [row], now);
  if (seen === undefined) throw new Error(`task ${id} has no row on the board`);
  return seen;
}
