import type { AgentMessage } from '#domain/agent-message';
import type { Approval } from '#domain/approval';
import type { Attempt } from '#domain/attempt';
import type { EventDraft } from '#domain/event';
import type { GitJob } from '#domain/git-job';
import type { Transaction } from '#store/store';

type Change = 'created' | 'updated';

async function emit(
  tx: Transaction,
  { id, workspace_id, project_id }: Pick<Attempt, 'id' | 'workspace_id' | 'project_id'>,
  about: Pick<EventDraft, 'kind' | 'entity_id' | 'execution_id'>,
): Promise<void> {
  const project = await tx.projects.find(workspace_id, project_id);
  tx.emit({
    ...about,
    workspace_id,
    audience: {
      scope: 'board:read',
      project_id,
      // Events of a todo list go to its owner only.
      user_id: project?.owner_id ?? null,
      agent_id: null,
      service_id: null,
      attempt_id: id,
    },
    actor: null,
    data: null,
  });
}

/** Emits the event of a new or changed attempt. */
export const emitAttempt = (tx: Transaction, what: Change, attempt: Attempt): Promise<void> =>
  emit(tx, attempt, { kind: `attempt.${what}`, entity_id: attempt.id, execution_id: null });

/** Emits the event of a new or answered question of an agent. */
export const emitApproval = (tx: Transaction, what: Change, attempt: Attempt, approval: Approval): Promise<void> =>
  emit(tx, attempt, { kind: `approval.${what}`, entity_id: approval.id, execution_id: approval.execution_id });

/** Emits the event of a new or changed message to the agent of an attempt. */
export const emitMessage = (tx: Transaction, what: Change, message: AgentMessage): Promise<void> =>
  emit(
    tx,
    { ...message, id: message.attempt_id },
    { kind: `message.${what}`, entity_id: message.id, execution_id: message.execution_id },
  );

/** Emits the event of a git job that was asked for, was begun or has ended. */
export const emitGitJob = (tx: Transaction, attempt: Attempt, { id }: GitJob): Promise<void> =>
  emit(tx, attempt, { kind: 'git_job.updated', entity_id: id, execution_id: null });
