import { say } from '#advice';
import { ATTEMPT_DEFAULTS, type Attempt, type AttemptRepo, type Session } from '#domain/attempt';
import { attemptBranch, branchProblem } from '#domain/branch';
import type { AttemptId, RepoId, RunId, SessionId, WorkItemId } from '#domain/ids';
import { type KeyedItem, taskKey } from '#domain/key';
import { plainText } from '#domain/plain-text';
import type { Repo } from '#domain/project';
import { refusal } from '#domain/refusal';
import type { WorkItem } from '#domain/work-item';
import { emitAttempt } from '#services/attempts/attempt-events';
import type { Ports } from '#services/ports';
import { enqueueRun } from '#services/runs/enqueue';
import type { TaskerAdapter } from '#services/tasker/adapter';
import type { WriteWork } from '#services/work';
import { projectOf, taskOf } from './lookup.ts';
import { firstPrompt } from './prompt.ts';
import { mustBeStartable } from './startable.ts';
import { type WantedExecutor, wantedExecutors } from './wanted-executors.ts';

interface WantedRepo {
  readonly repo_id: RepoId;
  readonly target_branch?: string | undefined;
}

interface NewAttempts {
  readonly task_id: WorkItemId;
  readonly executor?: string | undefined;
  readonly variant?: string | undefined;
  /** Several, one attempt each: `name` or `name:variant`. */
  readonly executors?: readonly string[] | undefined;
  readonly prompt?: string | undefined;
  readonly repos: readonly WantedRepo[];
}

interface StartedAttempt {
  readonly attempt_id: AttemptId;
  /** For example WEB-12.2. */
  readonly key: string | null;
  readonly executor: string;
  readonly session_id: SessionId;
  readonly execution_id: RunId;
}

interface Started {
  readonly task_id: WorkItemId;
  /** In the order of the executors. */
  readonly attempts: readonly StartedAttempt[];
}

/** What all attempts that are started together share. */
interface Plan {
  readonly item: WorkItem & KeyedItem;
  readonly known: readonly Repo[];
  readonly chosen: readonly Omit<AttemptRepo, 'attempt_id'>[];
  readonly words: string | null;
  readonly sibling_group: string | null;
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
      throw refusal(
        'repos',
        `${repo_id} is no repository of this project`,
        say`${{ call: 'list_repos' }} for names and ids.`,
      );
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
      commits: null,
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
    { item, chosen, sibling_group }: Plan,
  ): Promise<{ readonly attempt: Attempt; readonly key: string | null }> {
    const id = ids<AttemptId>();
    const attempt: Attempt = {
      ...ATTEMPT_DEFAULTS,
      id,
      workspace_id: caller.workspace_id,
      project_id: item.project_id,
      work_item_id: item.id,
      branch: attemptBranch(item.title, id),
      number: null,
      sibling_group,
      created_by_user_id: caller.user_id,
      created_by_agent_id: caller.agent_id,
      created_at: tx.now,
      updated_at: tx.now,
    };
    await tx.attempts.insert(
      attempt,
      chosen.map((repo) => ({ ...repo, attempt_id: id })),
    );
    await emitAttempt(tx, 'created', attempt);
    // The store has given it a number.
    const row = await tx.attempts.find({ workspace_id: caller.workspace_id, project_ids: [item.project_id] }, id);
    return { attempt, key: row?.key ?? null };
  }

  async function begin(work: WriteWork, plan: Plan, { executor, variant }: WantedExecutor): Promise<StartedAttempt> {
    const { tx, caller } = work;
    const { attempt, key } = await insertAttempt(work, plan);
    const session: Session = {
      id: ids(),
      attempt_id: attempt.id,
      executor,
      variant,
      agent_session_id: null,
      created_at: tx.now,
      updated_at: tx.now,
    };
    await tx.attempts.insertSession(session);
    const run = await enqueueRun(tx, ids, {
      attempt,
      session,
      prompt: firstPrompt({
        task: plan.item,
        branch: attempt.branch,
        repos: promptRepos(plan.known, plan.chosen),
        words: plan.words,
        mark: () => ids().slice(-12),
      }),
      variant,
      name: plan.item.title,
      user_id: caller.user_id,
      agent_id: caller.agent_id,
    });
    work.changed(null, attempt);
    return { attempt_id: attempt.id, key, executor, session_id: session.id, execution_id: run.id };
  }

  return async (work: WriteWork, { task_id, prompt, repos, ...wanted }: NewAttempts): Promise<Started> => {
    const { tx, caller } = work;
    const task = await taskOf(work, task_id);
    const project = await projectOf(adapter, work, task.project_id);
    const item = { ...task, key: taskKey(project.key, task.number) };
    await mustBeStartable(work, item.id);
    const known = await tx.projects.repos(caller.workspace_id, item.project_id);
    const chosen = chosenRepos(known, repos);
    const executors = await wantedExecutors(tx, wanted);
    const words = prompt === undefined ? null : plainText('prompt', prompt);
    const sibling_group = executors.length > 1 ? ids() : null;
    const attempts: StartedAttempt[] = [];
    for (const executor of executors) {
      attempts.push(await begin(work, { item, known, chosen, words, sibling_group }, executor));
    }
    return { task_id: item.id, attempts };
  };
}
