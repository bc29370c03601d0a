import type { ClientFacts } from '#domain/client-facts';
import type { RunId } from '#domain/ids';
import { isOver, type Run, type RunStatus } from '#domain/run';
import { reportedStatus } from '#domain/run-machine';
import { readableRuns, reportableRuns } from '#domain/run-visibility';
import { ErrandError } from '#errors';
import type { ReadWork, WriteWork } from '#services/work';

const SEEN_EVERY_MS = 1_000;

const noRun = (id: string, may: 'see' | 'report on'): ErrandError =>
  new ErrandError('not_found', `No execution ${id} that you may ${may}.`, {
    hint: 'Give the id of your own run, as it is in the NOVA_EXECUTION_ID environment variable.',
  });

/** Returns a run that the caller may read. */
export async function readable({ tx, caller }: ReadWork, id: RunId): Promise<Run> {
  const run = await tx.runs.seen(readableRuns(caller), id);
  if (run === null) throw noRun(id, 'see');
  return run;
}

/** Returns a run that the caller may report on. */
export async function reported({ tx, caller }: WriteWork, id: RunId): Promise<Run> {
  const run = await tx.runs.seen(reportableRuns(caller), id);
  if (run === null) throw noRun(id, 'report on');
  return run;
}

/** Fills fields without a value from what the client says of itself, and replaces none. */
function filled(run: Run, { session_id, folder, branch, client }: ClientFacts): Run {
  return {
    ...run,
    agent_session_id: run.agent_session_id ?? session_id ?? null,
    worktree_path: run.worktree_path ?? folder ?? null,
    branch: run.branch ?? branch ?? null,
    client: run.client ?? client ?? null,
  };
}

/** Returns the status. A report without one is never refused. */
function statusOf(run: Run): RunStatus {
  const after = reportedStatus(run);
  return 'refused' in after ? run.status : after.status;
}

/** Returns the run after a report, which shows that an external run is alive. The worker sets the status of Errand's own. */
export const signOfLife = ({ tx, client_facts }: WriteWork, run: Run): Run =>
  isOver(run.status)
    ? run
    : {
        ...filled(run, client_facts),
        status: statusOf(run),
        seen_at: Math.max(tx.now, run.seen_at),
        liveness: 'live',
      };

const SHOWN = ['status', 'liveness', 'agent_session_id', 'worktree_path', 'branch', 'client'] as const;

/** What a report changes of the run: a shown field, only the time of its last report, or nothing within the second. */
export function newsOf(before: Run, after: Run): 'changed' | 'seen' | null {
  if (SHOWN.some((field) => before[field] !== after[field])) return 'changed';
  return after.seen_at - before.seen_at >= SEEN_EVERY_MS ? 'seen' : null;
}
