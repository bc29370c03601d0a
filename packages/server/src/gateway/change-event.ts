import { itemReaders } from '#domain/audience';
import type { EventDraft } from '#domain/event';
import type { UserId, WorkItemId } from '#domain/ids';
import type { Project } from '#domain/project';
import { PROJECT_SCOPES } from '#domain/scope';
import type { Transaction } from '#store/store';
import { PROFILES } from '#tools/profiles';
import type { Settled } from './admit.ts';
import type { Changes } from './audit.ts';

const DONE = { create: 'created', update: 'updated', delete: 'deleted', read: 'read' } as const;

type EventProject = Pick<Project, 'id' | 'owner_id'>;

/** The project in which a call has changed something; null for what belongs to no project. */
export async function projectOfCall(
  tx: Transaction,
  { call: { caller, tool }, subject }: Settled,
  changes: Changes,
): Promise<EventProject | null> {
  const id = changes.project();
  if (id !== null) return tx.projects.find(caller.workspace_id, id);
  if (PROFILES[tool.profile].watched_with !== 'todo:read') return null;
  const list = await tx.projects.todoList(caller.workspace_id, subject);
  return list && { id: list.project_id, owner_id: subject };
}

/** The event of a call that changed something. */
export function changeEvent(
  { call: { caller, tool }, subject, named }: Settled,
  entity: { readonly kind: string; readonly id: string | null },
  project: EventProject | null,
): EventDraft {
  const { watched_with: scope } = PROFILES[tool.profile];
  const whose = (): UserId | null => {
    if (scope === 'todo:read') return subject;
    return PROJECT_SCOPES.has(scope) ? (project?.owner_id ?? null) : null;
  };
  const user_id = whose();
  return {
    workspace_id: caller.workspace_id,
    kind: `${entity.kind}.${tool.event ?? DONE[tool.effect]}`,
    entity_id: entity.id,
    execution_id: null,
    // The entity of a tool about a task is the task's id.
    ...(entity.kind === 'work_item' && { work_item_id: entity.id as WorkItemId | null }),
    audience: {
      ...(entity.kind === 'work_item' ? itemReaders(scope, user_id) : { scope }),
      project_id: project?.id ?? null,
      user_id,
      ...(typeof named !== 'string' && { app_user: named }),
      agent_id: null,
      service_id: null,
    },
    actor: { user_id: caller.user_id, agent_id: caller.agent_id },
    data: null,
  };
}
