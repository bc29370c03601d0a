import type { EventDraft } from '#domain/event';
import type { UserId } from '#domain/ids';
import type { Project } from '#domain/project';
import { PROJECT_SCOPES } from '#domain/scope';
import { PROFILES } from '#tools/profiles';
import type { Admitted } from './admit.ts';

const DONE = { create: 'created', update: 'updated', delete: 'deleted', read: 'read' } as const;

/** Runs and their steps are told by the service that changes them, with more than their ids. */
export const tellsOfItself = (entity: string): boolean => entity === 'execution' || entity === 'step';

/** What listeners are told of a call that changed something. */
export function changeEvent(
  { call: { caller, tool }, subject }: Admitted,
  entity: { readonly kind: string; readonly id: string | null },
  project: Pick<Project, 'id' | 'owner_id'> | null,
): EventDraft {
  const { watched_with: scope } = PROFILES[tool.profile];
  const whose = (): UserId | null => {
    if (scope === 'todo:read') return subject;
    return PROJECT_SCOPES.has(scope) ? (project?.owner_id ?? null) : null;
  };
  return {
    workspace_id: caller.workspace_id,
    kind: `${entity.kind}.${tool.told_as ?? DONE[tool.effect]}`,
    entity_id: entity.id,
    execution_id: null,
    audience: { scope, project_id: project?.id ?? null, user_id: whose(), agent_id: null, service_id: null },
    actor: { user_id: caller.user_id, agent_id: caller.agent_id },
    data: null,
  };
}
