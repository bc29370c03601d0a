import type { ExecutionId } from '#domain/ids';
import { isOver } from '#domain/run';
import type { Reads, RunRow, Transaction } from '#store/store';

/** What a worker knows a run by: the epoch is the proof that it is still theirs. */
export interface Hold {
  readonly execution_id: ExecutionId;
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
export async function findHeld({ runs }: Pick<Reads, 'runs'>, hold: Hold): Promise<RunRow | null> {
  const run = await runs.find(hold.execution_id);
  return run === null || run.epoch !== hold.epoch || isOver(run.execution.status) ? null : run;
}

/** The run, for whoever still holds it. */
export async function heldRun(tx: Transaction, hold: Hold): Promise<RunRow> {
  const run = await findHeld(tx, hold);
  if (run === null) throw new RunLost(hold);
  return run;
}
