import { isOver } from '#domain/execution';
import type { ExecutionId } from '#domain/ids';
import type { RunRow, Transaction } from '#store/store';

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

/** The run, for whoever still holds it. */
export async function heldRun(tx: Transaction, hold: Hold): Promise<RunRow> {
  const run = await tx.runs.find(hold.execution_id);
  if (run === null || run.epoch !== hold.epoch || isOver(run.execution.status)) throw new RunLost(hold);
  return run;
}
