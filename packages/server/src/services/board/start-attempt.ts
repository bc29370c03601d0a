import { say } from '#advice';
import { ATTEMPT_DEFAULTS, type Attempt, type AttemptRepo, type Session } from '#domain/attempt';
import { attemptBranch, branchProblem } from '#domain/branch';
import type { AttemptId, RepoId, RunId, SessionId, WorkItemId } from '#domain/ids';
import { plainText } from '#domain/plain-text';
import type { Repo } from '#domain/project';
import { refusal } from '#domain/refusal';
import { emitAttempt } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { enqueueRun } from '#services/runs/enqueue';
import type { TaskerAdapter } from '#services/tasker/adapter';
import type { WriteWork } from '#services/work';
import { projectOf, taskOf } from './lookup.ts';
import { mustBeOffered, mustBeReady } from './offered-executors.ts';
import { firstPrompt } from './prompt.ts';
import { mustBeStartable } from './startable.ts';

interface WantedRepo {
  readonly repo_id: RepoId;
  readonly target_branch?: string | undefined;
}

interface NewAttempt {
  readonly task_id: WorkItemId;
  readonly executor: string;
  readonly variant?: string | undefined;
  readonly prompt?: string | undefined;
  readonly repos: readonly WantedRepo[];
}

interface Started {
  readonly task_id: WorkItemId;
  readonly attempt_id: AttemptId;
  readonly session_id: SessionId;
  readonly execution_id: RunId;
}

/** Returns the named repositories, each with the target branch of its changes. */
function chosenRepos(
  known: readonly Repo[],
  wanted: readonly WantedRepo[],
): readonly Omit<AttemptRepo, 'attempt_id'>[] {
  const ids = wanted.map(({ repo_id }) => repo_id);
  if (new Set(ids).size < ids.length) throw refusal('repos', 'names a repository twice');
  return wanted.map(({ repo_id, target_branch }) => {
    const repo = known.find(({ id }) => id === repo_id);
    if (repo === undefined) {
      throw refusal('repos', `${repo_id} is no repository of this project`, say`${{ call: 'list_repos' }} for ids.`);
    }
    const target = target_branch ?? repo.target_branch;
    const problem = branchProblem(target);
    if (problem !== null)
      throw refusal('repos', `target_branch ${problem}`, 'Give the name of a branch as git branch lists it.');
    return {
      repo_id,
      target_branch: target,
      base_commit: null,
      head_commit: null,
      files: null,
      patch: null,
      is_patch_cut: false,
      is_set_up: false,
    };
  });
}

/** The repositories in the store's order of an attempt, which decides the folders of repositories with one name. */
const promptRepos = (known: readonly Repo[], chosen: readonly Pick<AttemptRepo, 'repo_id' | 'target_branch'>[]) =>
  known.flatMap(({ id, name }) => {
    const repo = chosen.find(({ repo_id }) => repo_id === id);
    return repo === undefined ? [] : [{ name, target_branch: repo.target_branch }];
  });

/** Starts attempts at tasks: each gets a branch, a session and its first run. */
export function createStartAttempt({ ids }: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) {
  async function insertAttempt(
    { tx, caller }: WriteWork,
    fresh: Pick<Attempt, 'id' | 'project_id' | 'work_item_id' | 'branch'>,
    repos: readonly Omit<AttemptRepo, 'attempt_id'>[],
  ): Promise<Attempt> {
    const attempt: Attempt = {
      ...fresh,
      workspace_id: caller.workspace_id,
      ...ATTEMPT_DEFAULTS,
      number: null,
      created_by_user_id: caller.user_id,
      created_by_agent_id: caller.agent_id,
      created_at: tx.now,
      updated_at: tx.now,
    };
    await tx.attempts.insert(
      attempt,
      repos.map((repo) => ({ ...repo, attempt_id: attempt.id })),
    );
    await emitAttempt(tx, 'created', attempt);
    return attempt;
  }

  return async (work: WriteWork, { task_id, executor, variant, prompt, repos }: NewAttempt): Promise<Started> => {
    const { tx, caller } = work;
    const item = await taskOf(work, task_id);
    await projectOf(adapter, work, item.project_id);
    await mustBeStartable(work, item.id);
    const known = await tx.projects.repos(caller.workspace_id, item.project_id);
    const chosen = chosenRepos(known, repos);
    await mustBeOffered(tx, executor);
    await mustBeReady(tx, executor, variant ?? null);

    const id = ids<AttemptId>();
    const branch = attemptBranch(item.title, id);
    const attempt = await insertAttempt(
      work,
      { id, branch, project_id: item.project_id, work_item_id: item.id },
      chosen,
    );
    const session: Session = {
      id: ids(),
      attempt_id: id,
      executor,
      variant: variant ?? null,
      agent_session_id: null,
      created_at: tx.now,
      updated_at: tx.now,
    };
    await tx.attempts.insertSession(session);
    const run = await enqueueRun(tx, ids, {
      attempt,
      session,
      prompt: firstPrompt({
        task: item,
        branch,
        repos: promptRepos(known, chosen),
        words: prompt === undefined ? null : plainText('prompt', prompt),
        mark: () => ids().slice(-12),
      }),
      variant: session.variant,
      name: item.title,
      user_id: caller.user_id,
      agent_id: caller.agent_id,
    });
    work.changed(null, attempt);
    return { task_id: item.id, attempt_id: id, session_id: session.id, execution_id: run.id };
  };
}
