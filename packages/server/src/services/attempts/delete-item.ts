import { say } from '#advice';
import { type Attempt, isActive } from '#domain/attempt';
import type { WorkItem } from '#domain/work-item';
import { ErrandError } from '#errors';
import type { Transaction } from '#store/store';
import { attemptsOfItem } from './attempts-of-item.ts';

function mustRest(item: WorkItem, attempts: readonly Attempt[]): void {
  const active = attempts.find(({ run_status }) => isActive(run_status));
  if (active === undefined) return;
  throw new ErrandError(
    'run_in_progress',
    `An agent is at work on task ${item.id}: a run of attempt ${active.id} is ${active.run_status}.`,
    { hint: [say`${{ call: 'stop_attempt' }} to end it.`, 'Delete the task when the run has ended.'] },
  );
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

/** Deletes a work item with its attempts. Refused while an agent works on it: its run would never end. */
export async function deleteItem(tx: Transaction, item: WorkItem): Promise<void> {
  const attempts = await attemptsOfItem(tx, item);
  mustRest(item, attempts);
  for (const attempt of attempts) await noteFolders(tx, attempt);
  await tx.workItems.delete(item.workspace_id, item.id);
}
