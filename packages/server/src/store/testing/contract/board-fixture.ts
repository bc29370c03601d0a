import type { Approval } from '#domain/approval';
import { ATTEMPT_DEFAULTS, type Attempt, type AttemptRepo, type QueuedPrompt, type Session } from '#domain/attempt';
import type { Claim } from '#domain/claim';
import type { ApprovalId, AttemptId, QueuedPromptId, RepoId, SessionId } from '#domain/ids';
import type { Project, Repo } from '#domain/project';
import type { QueueEntry } from '#domain/queued-run';
import type { Run } from '#domain/run';
import type { User } from '#domain/user';
import type { WorkItem } from '#domain/work-item';
import type { Worker } from '#domain/worker';
import type { Store } from '#store/store';
import { anId, createNumbers } from './fixture.ts';
import { aRun, settleTeams } from './tracker-fixture.ts';

export const aRepo = (project: Project, fields: Partial<Repo> = {}): Repo => ({
  id: anId<RepoId>(),
  project_id: project.id,
  name: 'shed',
  path: `/repos/${anId()}`,
  target_branch: 'main',
  setup_script: null,
  created_at: 1,
  ...fields,
});

const nextNumber = createNumbers();

export const anAttempt = (item: WorkItem, user: User, fields: Partial<Attempt> = {}): Attempt => ({
  id: anId<AttemptId>(),
  workspace_id: item.workspace_id,
  project_id: item.project_id,
  work_item_id: item.id,
  branch: 'errand/water',
  ...ATTEMPT_DEFAULTS,
  number: nextNumber(item.id),
  created_by_user_id: user.id,
  created_by_agent_id: null,
  created_at: 1,
  updated_at: 1,
  ...fields,
});

export const inRepo = (attempt: Attempt, repo: Repo, fields: Partial<AttemptRepo> = {}): AttemptRepo => ({
  attempt_id: attempt.id,
  repo_id: repo.id,
  target_branch: 'main',
  base_commit: null,
  head_commit: null,
  commits: null,
  files: null,
  patch: null,
  is_patch_cut: false,
  is_set_up: false,
  ...fields,
});

export const aSession = (attempt: Attempt, fields: Partial<Session> = {}): Session => ({
  id: anId<SessionId>(),
  attempt_id: attempt.id,
  executor: 'digger',
  variant: null,
  agent_session_id: null,
  created_at: 1,
  updated_at: 1,
  ...fields,
});

export const aPrompt = (session: Session, user: User, fields: Partial<QueuedPrompt> = {}): QueuedPrompt => ({
  id: anId<QueuedPromptId>(),
  session_id: session.id,
  prompt: 'And the roses.',
  variant: null,
  status: 'queued',
  execution_id: null,
  user_id: user.id,
  agent_id: null,
  may_run: true,
  created_at: 1,
  ...fields,
});

export const anApproval = (run: Run, fields: Partial<Approval> = {}): Approval => ({
  id: anId<ApprovalId>(),
  execution_id: run.id,
  // A run of an attempt: the tests make no other with questions.
  attempt_id: run.attempt_id as AttemptId,
  workspace_id: run.workspace_id,
  project_id: run.project_id,
  work_item_id: null,
  origin: 'protocol',
  asked_by_user_id: null,
  asked_by_agent_id: null,
  kind: 'permission',
  question: 'May I dig here?',
  details: null,
  options: '[]',
  status: 'pending',
  option: null,
  answer: null,
  answered_by_user_id: null,
  answered_by_agent_id: null,
  created_at: 1,
  answered_at: null,
  ...fields,
});

export const aWorker = (fields: Partial<Worker> = {}): Worker => ({
  id: anId(),
  host_id: 'host-1',
  host_name: 'barn',
  boot_id: 'boot-1',
  pid: 7,
  pid_started: '70',
  executors: '[]',
  max_runs: 2,
  started_at: 1,
  lease_until: 1,
  ...fields,
});

export const aClaim = (item: WorkItem, fields: Partial<Claim> = {}): Claim => ({
  work_item_id: item.id,
  epoch: 1,
  principal_id: 'agent-1',
  user_id: null,
  agent_id: null,
  claimed_at: 1,
  lease_until: 9,
  ...fields,
});

export const aQueueEntry = (run: Run, session: Session, fields: Partial<QueueEntry> = {}): QueueEntry => ({
  execution_id: run.id,
  attempt_id: session.attempt_id,
  session_id: session.id,
  executor: session.executor,
  variant: null,
  prompt: 'Water the plants.',
  epoch: 0,
  worker_id: null,
  lease_until: null,
  host_id: null,
  spawned_at: null,
  boot_id: null,
  pid: null,
  pid_started: null,
  stop_requested_at: null,
  stop_reason: null,
  token_id: null,
  ...fields,
});

/** A task of the garden, and ways to let agents work on tasks. */
export async function settleBoard(store: Store) {
  const teams = await settleTeams(store);
  const { garden, user } = teams;
  const item = garden.anItem();
  await store.transaction((tx) => tx.workItems.insert(item));

  const attempt = async (fields: Partial<Attempt> = {}, of: WorkItem = item): Promise<Attempt> => {
    const made = anAttempt(of, user, fields);
    await store.transaction((tx) => tx.attempts.insert(made, []));
    return made;
  };
  const session = async (of: Attempt, fields: Partial<Session> = {}): Promise<Session> => {
    const made = aSession(of, fields);
    await store.transaction((tx) => tx.attempts.insertSession(made));
    return made;
  };
  const enqueue = async (of: Session, run: Partial<Run> = {}, fields: Partial<QueueEntry> = {}) => {
    const made = aRun(garden.project, user, {
      kind: 'agent',
      attempt_id: of.attempt_id,
      session_id: of.id,
      ...run,
    });
    const itsRun = aQueueEntry(made, of, fields);
    await store.transaction(async (tx) => {
      await tx.runs.insert(made);
      await tx.queue.insert(itsRun);
    });
    return { ...itsRun, run: made };
  };
  return { ...teams, item, attempt, session, enqueue };
}
