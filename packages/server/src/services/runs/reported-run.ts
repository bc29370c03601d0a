import type { Hints } from '#domain/hints';
import type { ExecutionId } from '#domain/ids';
import { type Execution, isOurs, isOver } from '#domain/run';
import { readableRuns, reportableRuns } from '#domain/run-sight';
import { ErrandError } from '#errors';
import type { ReadWork, WriteWork } from '#services/work';

const SEEN_EVERY_MS = 1_000;

const noExecution = (id: string, may: 'see' | 'report on'): ErrandError =>
  new ErrandError('not_found', `No execution ${id} that you may ${may}.`, {
    hint: 'Give the id of your own run, as it is in the NOVA_EXECUTION_ID environment variable.',
  });

/** A run that may be read. */
export async function readable({ tx, caller }: ReadWork, id: ExecutionId): Promise<Execution> {
  const execution = await tx.executions.seen(readableRuns(caller), id);
  if (execution === null) throw noExecution(id, 'see');
  return execution;
}

/** A run that may be reported on. */
export async function reported({ tx, caller }: WriteWork, id: ExecutionId): Promise<Execution> {
  const execution = await tx.executions.seen(reportableRuns(caller), id);
  if (execution === null) throw noExecution(id, 'report on');
  return execution;
}

/** What a client tells of itself fills what is not known yet, and never replaces it. */
function filled(execution: Execution, { session_id, folder, branch, client }: Hints): Execution {
  return {
    ...execution,
    agent_session_id: execution.agent_session_id ?? session_id ?? null,
    worktree_path: execution.worktree_path ?? folder ?? null,
    branch: execution.branch ?? branch ?? null,
    client: execution.client ?? client ?? null,
  };
}

/** The run after a report: it lives, and what reports is running. How a run of ours stands is for its worker to say. */
export const signOfLife = ({ tx, hints }: WriteWork, execution: Execution): Execution =>
  isOver(execution.status)
    ? execution
    : {
        ...filled(execution, hints),
        status: isOurs(execution) ? execution.status : 'running',
        seen_at: Math.max(tx.now, execution.seen_at),
        liveness: 'live',
      };

const TOLD = ['status', 'liveness', 'agent_session_id', 'worktree_path', 'branch', 'client'] as const;

/** What a report says of the run itself: something to tell, only that it lives, or nothing since that was written just now. */
export function newsOf(before: Execution, after: Execution): 'told' | 'kept' | null {
  if (TOLD.some((field) => before[field] !== after[field])) return 'told';
  return after.seen_at - before.seen_at >= SEEN_EVERY_MS ? 'kept' : null;
}
