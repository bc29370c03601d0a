import { say } from '#advice';
import { type Attempt, isActive } from '#domain/attempt';
import { jobName } from '#domain/git-job';
import { attemptKey } from '#domain/key';
import type { WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import { taskName } from '#services/task-name';
import type { Transaction } from '#store/store';
import { attemptsOfItem } from './attempts-of-item.ts';

async function mustRest(tx: Transaction, item: WorkItem, attempts: readonly Attempt[]): Promise<void> {
  const active = attempts.find(({ run_status }) => isActive(run_status));
  if (active === undefined) return;
  const task = await taskName(tx, item.workspace_id, item.id);
  const attempt = attemptKey(task === item.id ? null : task, active.number) ?? active.id;
  throw new ErrandError(
    'run_in_progress',
    `An agent is at work on task ${task}: a run of attempt ${attempt} is ${active.run_status}.`,
    { hint: [say`${{ call: 'stop_attempt' }} to end it.`, 'Delete the task when the run has ended.'] },
  );
}

/** Refuses what must not happen while git works on an attempt at the item: the job would go with the attempt, half done. */
export async function mustBeUnmoved(tx: Transaction, item: WorkItem, then: string): Promise<void> {
  const [job] = await tx.gitJobs.openOfItem(item);
  if (job === undefined) return;
  throw new ErrandError('merge_in_progress', `A ${jobName(job)} of attempt ${job.attempt_id} is under way.`, {
    hint: [`${then} when it has ended.`, say`${{ call: 'stop_attempt' }} to end one that waits.`],
    details: { job_id: job.id, attempt_id: job.attempt_id },
  });
}

/** Notes the folders for the worker on their machine: once the attempt is deleted, nothing else names them. */
async function noteFolders(tx: Transaction, attempt: Attempt): Promise<void> {
  const { id, host_id, branch } = attempt;
  if (host_id === null) return;
  const repos = await tx.attempts.repos(attempt);
  await tx.attempts.insertLeftover({
    attempt_id: id,
    host_id,
    branch,
    repos: repos.map(({ repo_name, repo_path, base_commit }) => ({ repo_name, repo_path, base_commit })),
  });
}

/** Deletes a work item with its attempts. Refused while an agent works on it, whose run would never end, or git does. */
export async function deleteItem(tx: Transaction, item: WorkItem): Promise<void> {
  const attempts = await attemptsOfItem(tx, item);
  await mustRest(tx, item, attempts);
  await mustBeUnmoved(tx, item, 'Delete the task');
  for (const attempt of attempts) await noteFolders(tx, attempt);
  await tx.workItems.delete(item.workspace_id, item.id);
}
