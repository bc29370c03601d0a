import { type Attempt, isActive, RETRY_NAME } from '#domain/attempt';
import type { Check } from '#domain/check';
import { fenced } from '#domain/fence';
import type { QueuedRun } from '#domain/queued-run';
import type { Ports } from '#services/ports';
import type { Transaction } from '#store/store';
import { enqueueRun } from './enqueue.ts';
import { mayRun } from './may-run.ts';

/** Characters of the output of each failed check: its end says what is wrong. */
const MAX_OUTPUT = 3_000;

const endOf = ({ status, exit_code }: Check): string => {
  if (status === 'timed_out') return 'took too long and was stopped';
  return exit_code === null ? 'could not be run to its end' : `exit code ${exit_code}`;
};

/** The prompt about the failed checks. Their output may hold text of anybody, so marks enclose it. */
function redPrompt(checks: readonly Check[], mark: () => string): string {
  const failed = checks.filter(({ status }) => status !== 'passed');
  const parts = failed.map((check) => {
    const output = check.output.slice(-MAX_OUTPUT).replace(/^[\uDC00-\uDFFF]/, '');
    return `Check ${check.name}: ${endOf(check)}\n${fenced('output', output, mark)}`;
  });
  return [
    'The checks of your work have failed. Mend what they found. They run again when you are done.',
    ...parts,
  ].join('\n\n');
}

interface Red {
  readonly entry: QueuedRun;
  readonly attempt: Attempt;
  readonly checks: readonly Check[];
}

/** Whether a person has completed or cancelled the task meanwhile. */
async function isTaskOver(tx: Transaction, { workspace_id, project_id, work_item_id }: Attempt): Promise<boolean> {
  const task = await tx.board.task({ workspace_id, project_ids: [project_id] }, work_item_id);
  return task === null || task.state_group === 'completed' || task.state_group === 'cancelled';
}

/** Sends red work back to its agent, at most as many times as the project says. */
export async function retryRed(tx: Transaction, ids: Ports['ids'], { entry, attempt, checks }: Red): Promise<void> {
  const { verdict, archived_at, merged_at, run_status, red_retries } = attempt;
  if (verdict !== 'red' || entry.run.kind !== 'agent' || archived_at !== null || merged_at !== null) return;
  const project = await tx.projects.find(attempt.workspace_id, attempt.project_id);
  if (project === null || red_retries >= project.retry_red || isActive(run_status)) return;
  if (await isTaskOver(tx, attempt)) return;
  const session = (await tx.attempts.sessions(attempt)).find(({ id }) => id === entry.session_id);
  if (session === undefined || !(await mayRun(tx, attempt, entry.run))) return;
  await enqueueRun(tx, ids, {
    attempt: { ...attempt, red_retries: red_retries + 1 },
    session,
    prompt: redPrompt(checks, () => ids().slice(-12)),
    variant: entry.variant,
    name: RETRY_NAME,
    is_retry: true,
    user_id: entry.run.user_id,
    agent_id: entry.run.agent_id,
  });
}
