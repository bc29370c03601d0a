import { type Caller, hasScope, mayActFor } from './caller.ts';
import type { EventDraft } from './event.ts';
import { allows, isEverywhere, rightsIn } from './reach.ts';
import { readableRuns } from './run-sight.ts';
import { PROJECT_SCOPES } from './scope.ts';

/** Whether someone may hear of a change: only if they could ask for the thing itself. */
export function mayHear(
  caller: Caller,
  { workspace_id, audience }: Pick<EventDraft, 'workspace_id' | 'audience'>,
): boolean {
  const { scope, project_id, user_id, agent_id, service_id } = audience;
  if (workspace_id !== caller.workspace_id || !hasScope(caller, scope)) return false;
  if (scope === 'execution:report') {
    return user_id !== null && readableRuns(caller).sees({ workspace_id, user_id, agent_id, service_id, project_id });
  }
  if (PROJECT_SCOPES.has(scope)) {
    // A todo list is open to its owner alone, however far others reach.
    if (isEverywhere(caller.reach)) return user_id === null || user_id === caller.user_id;
    const rights = project_id === null ? null : rightsIn(caller.reach, project_id);
    return rights !== null && allows(rights, [scope]);
  }
  return user_id === null || mayActFor(caller, user_id);
}
