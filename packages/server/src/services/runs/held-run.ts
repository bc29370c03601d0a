import type { RunId } from '#domain/ids';
import type { QueuedRun } from '#domain/queued-run';
import { isOver } from '#domain/run';
import type { Reads, Transaction } from '#store/store';

/** The hold of a worker on a run: it ends when the epoch of the run is another. */
export interface Hold {
  readonly execution_id: RunId;
  readonly epoch: number;
}

/** Another worker holds the run, or it has ended: this worker may write nothing more for it. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor({ execution_id }: Hold) {
    super(`Run ${execution_id} is not ours any more.`);
  }
}

/** The run, when the worker still holds it; otherwise null. */
export async function findHeld({ queue }: Pick<Reads, 'queue'>, hold: Hold): Promise<QueuedRun | null> {
  const entry = await queue.findForWorker(hold.execution_id);
  return entry === null || entry.epoch !== hold.epoch || isOver(entry.run.status) ? null : entry;
}

/** The run, when the worker still holds it. Throws `RunLost` otherwise. */
export async function heldRun(tx: Transaction, hold: Hold): Promise<QueuedRun> {
  const entry = await findHeld(tx, hold);
  if (entry === null) throw new RunLost(hold);
  return entry;
}
