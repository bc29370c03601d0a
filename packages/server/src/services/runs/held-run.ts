import type { RunId } from '#domain/ids';
import type { QueuedRun } from '#domain/queued-run';
import { isOver } from '#domain/run';
import type { Reads, Transaction } from '#store/store';

/** What a worker knows a run by: the epoch is the proof that it is still theirs. */
export interface Hold {
  readonly execution_id: RunId;
  readonly epoch: number;
}

/** The run is someone else's by now, or over: nothing more may be written for it. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor({ execution_id }: Hold) {
    super(`Run ${execution_id} is not ours any more.`);
  }
}

/** The run, for whoever still holds it; null for whoever does not. */
export async function findHeld({ queue }: Pick<Reads, 'queue'>, hold: Hold): Promise<QueuedRun | null> {
  const entry = await queue.findForWorker(hold.execution_id);
  return entry === null || entry.epoch !== hold.epoch || isOver(entry.run.status) ? null : entry;
}

/** The run, for whoever still holds it. */
export async function heldRun(tx: Transaction, hold: Hold): Promise<QueuedRun> {
  const entry = await findHeld(tx, hold);
  if (entry === null) throw new RunLost(hold);
  return entry;
}
