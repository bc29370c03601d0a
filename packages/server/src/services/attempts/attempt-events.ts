import type { Approval } from '#domain/approval';
import type { Attempt } from '#domain/attempt';
import type { EventDraft } from '#domain/event';
import type { Transaction } from '#store/store';

type Change = 'created' | 'updated';

async function emit(
  tx: Transaction,
  { id, workspace_id, project_id }: Attempt,
  about: Pick<EventDraft, 'kind' | 'entity_id' | 'execution_id'>,
): Promise<void> {
  const project = await tx.projects.find(workspace_id, project_id);
  tx.emit({
    ...about,
    workspace_id,
    audience: {
      scope: 'board:read',
      project_id,
      // Of a todo list only its owner hears, however far others reach.
      user_id: project?.owner_id ?? null,
      agent_id: null,
      service_id: null,
      attempt_id: id,
    },
    actor: null,
    data: null,
  });
}

/** Tells that an attempt is there, or has changed. */
export const emitAttempt = (tx: Transaction, what: Change, attempt: Attempt): Promise<void> =>
  emit(tx, attempt, { kind: `attempt.${what}`, entity_id: attempt.id, execution_id: null });

/** Tells that an agent asks something, or that it was answered. */
export const emitApproval = (tx: Transaction, what: Change, attempt: Attempt, approval: Approval): Promise<void> =>
  emit(tx, attempt, { kind: `approval.${what}`, entity_id: approval.id, execution_id: approval.execution_id });
