import type { Attempt } from '#domain/attempt';
import type { GitJob, JobCommit } from '#domain/git-job';
import { shortCommit } from '#domain/key';
import { emitAttempt } from '#services/attempts/attempt-events';
import { completeTask } from '#services/attempts/task-state';
import { archiveOthers, stopRun } from '#services/board/siblings';
import { takeBackWaiting } from '#services/board/take-back-waiting';
import type { Ports } from '#services/ports';
import { addEntry } from '#services/runs/feed';
import type { Actor } from '#services/runs/run-events';
import type { Transaction } from '#store/store';

/** Writes an audit entry of something that a worker has completed for a caller. */
export function recordFor(
  tx: Transaction,
  { workspace_id, user_id, agent_id }: Pick<GitJob, 'workspace_id' | 'user_id' | 'agent_id'>,
  {
    action,
    attempt,
    correlation_id,
  }: { readonly action: string; readonly attempt: Attempt; readonly correlation_id: string },
): void {
  tx.record({
    workspace_id,
    actor_kind: agent_id === null ? 'user' : 'agent',
    user_id,
    agent_id,
    token_id: null,
    action,
    outcome: 'ok',
    entity: 'attempt',
    entity_id: attempt.id,
    idempotency_key: null,
    correlation_id,
    before_digest: null,
    after_digest: null,
    instruction_ref: null,
    reason: null,
    repeats: null,
  });
}

/** The line in the feed of a merged attempt. */
async function mergedLine(tx: Transaction, attempt: Attempt, commits: readonly JobCommit[]): Promise<string> {
  const repos = new Map((await tx.attempts.repos(attempt)).map((repo) => [repo.repo_id, repo]));
  const places = commits.flatMap(({ repo_id, commit }) => {
    const repo = repos.get(repo_id);
    return repo === undefined ? [] : [`${repo.target_branch} of ${repo.repo_name}: ${shortCommit(commit)}`];
  });
  return places.length === 0 ? 'Merged.' : `Merged into ${places.join(', ')}.`;
}

/**
 * What follows from a merge, in the transaction that writes it: the task is completed, the other attempts at it are archived,
 * open questions and waiting messages end, and the folders are to be removed.
 */
export async function completeShipped(
  tx: Transaction,
  ids: Ports['ids'],
  {
    attempt,
    actor,
    commits,
  }: { readonly attempt: Attempt; readonly actor: Actor; readonly commits: readonly JobCommit[] },
): Promise<Attempt> {
  await takeBackWaiting(tx, attempt);
  const { host_id, removal } = attempt;
  const merged: Attempt = {
    ...attempt,
    merged_at: tx.now,
    removal: host_id === null ? removal : (removal ?? 'requested'),
    updated_at: tx.now,
  };
  await tx.attempts.update(merged);
  await tx.gitJobs.dropWatch(attempt);
  await emitAttempt(tx, 'updated', merged);
  // One that a follow-up began while the merge was carried out.
  await stopRun({ tx, ids, caller: actor }, merged);
  await archiveOthers(tx, ids, merged, actor);
  await completeTask(tx, merged);
  const [run] = await tx.attempts.runs(attempt, 1);
  const text = await mergedLine(tx, attempt, commits);
  if (run !== undefined) await addEntry({ tx, caller: actor }, run, { kind: 'status', text });
  return merged;
}
