import type { AgentMessage } from '#domain/agent-message';
import type { Approval } from '#domain/approval';
import type { Attempt } from '#domain/attempt';
import type { EventDraft } from '#domain/event';
import type { GitJob } from '#domain/git-job';
import type { AttemptId, ProjectId, WorkItemId, WorkspaceId } from '#domain/ids';
import type { Transaction } from '#store/store';

type Change = 'created' | 'updated';

interface Origin {
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly attempt_id: AttemptId | null;
  readonly work_item_id: WorkItemId | null;
}

async function emit(
  tx: Transaction,
  { workspace_id, project_id, attempt_id, work_item_id }: Origin,
  about: Pick<EventDraft, 'kind' | 'entity_id' | 'execution_id'>,
): Promise<void> {
  const project = await tx.projects.find(workspace_id, project_id);
  tx.emit({
    ...about,
    workspace_id,
    work_item_id,
    audience: {
      scope: 'board:read',
      project_id,
      // Events of a todo list go to its owner only.
      user_id: project?.owner_id ?? null,
      agent_id: null,
      service_id: null,
      attempt_id,
    },
    actor: null,
    data: null,
  });
}

async function taskOf(
  tx: Transaction,
  { workspace_id, project_id, attempt_id }: Omit<Origin, 'work_item_id'>,
): Promise<WorkItemId | null> {
  if (attempt_id === null) return null;
  return (await tx.attempts.find({ workspace_id, project_ids: [project_id] }, attempt_id))?.work_item_id ?? null;
}

/** Emits the event of a new or changed attempt. */
export const emitAttempt = (tx: Transaction, what: Change, attempt: Attempt): Promise<void> =>
  emit(
    tx,
    { ...attempt, attempt_id: attempt.id },
    { kind: `attempt.${what}`, entity_id: attempt.id, execution_id: null },
  );

/** Emits the event of a new or answered question of an agent. */
export const emitApproval = (tx: Transaction, what: Change, attempt: Attempt, approval: Approval): Promise<void> =>
  emit(
    tx,
    { ...attempt, attempt_id: attempt.id },
    { kind: `approval.${what}`, entity_id: approval.id, execution_id: approval.execution_id },
  );

/** The same for a question of the tool `ask_person`, which may belong to a task alone. */
export async function emitQuestion(tx: Transaction, what: Change, question: Approval): Promise<void> {
  const { id, workspace_id, project_id, attempt_id, execution_id } = question;
  // Only rows of an older server have none, and it had no such questions.
  if (workspace_id === null || project_id === null) return;
  const work_item_id = question.work_item_id ?? (await taskOf(tx, { workspace_id, project_id, attempt_id }));
  const origin = { workspace_id, project_id, attempt_id, work_item_id };
  await emit(tx, origin, { kind: `approval.${what}`, entity_id: id, execution_id });
}

/** Emits the event of a new or changed message to the agent of an attempt. */
export const emitMessage = async (tx: Transaction, what: Change, message: AgentMessage): Promise<void> =>
  emit(
    tx,
    { ...message, work_item_id: await taskOf(tx, message) },
    { kind: `message.${what}`, entity_id: message.id, execution_id: message.execution_id },
  );

/** Emits the event of a git job that was asked for, was begun or has ended. */
export const emitGitJob = (tx: Transaction, attempt: Attempt, { id }: GitJob): Promise<void> =>
  emit(tx, { ...attempt, attempt_id: attempt.id }, { kind: 'git_job.updated', entity_id: id, execution_id: null });
