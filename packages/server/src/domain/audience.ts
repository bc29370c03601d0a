import { mayName } from './app.ts';
import { type Caller, hasScope, mayActFor } from './caller.ts';
import type { EventDraft } from './event.ts';
import type { UserId } from './ids.ts';
import { allows, isEverywhere, rightsIn } from './reach.ts';
import { readableRuns } from './run-visibility.ts';
import { PROJECT_SCOPES, type Scope } from './scope.ts';

type Addressed = Pick<EventDraft, 'workspace_id' | 'audience'>;

function hearsWith(caller: Caller, scope: Scope, { workspace_id, audience }: Addressed): boolean {
  // Events from before attempts existed have no attempt_id.
  const { project_id, user_id, agent_id, service_id, app_user, attempt_id = null } = audience;
  if (!hasScope(caller, scope)) return false;
  if (scope === 'execution:report') {
    return (
      user_id !== null &&
      readableRuns(caller).sees({ workspace_id, user_id, agent_id, service_id, project_id, attempt_id })
    );
  }
  if (PROJECT_SCOPES.has(scope)) {
    // Only its owner sees a todo list, also when the caller reaches every project.
    if (isEverywhere(caller.reach)) return user_id === null || user_id === caller.user_id;
    const rights = project_id === null ? null : rightsIn(caller.reach, project_id);
    return rights !== null && allows(rights, [scope]);
  }
  // Events of an app's user go to the machine's owner and to tokens of that app that may act for the user.
  if (app_user !== undefined) {
    return caller.kind === 'local' || (hasScope(caller, 'todo:act_as') && mayName(caller.app, app_user));
  }
  return user_id === null || mayActFor(caller, user_id);
}

/** All profiles show the same work items, so a caller who may read them in one profile gets the events of all. */
export function itemReaders(
  scope: Scope,
  owner: UserId | null,
): Pick<EventDraft['audience'], 'scope'> & { readonly also: readonly Scope[] } {
  const readers: readonly Scope[] = ['issue:read', 'board:read', ...(owner === null ? [] : ['todo:read' as const])];
  return { scope, also: readers.filter((reader) => reader !== scope) };
}

/** Whether a caller may receive an event: only if it could ask for the thing itself. */
export function mayHear(caller: Caller, event: Addressed): boolean {
  const { scope, also = [], attempt_id = null } = event.audience;
  if (event.workspace_id !== caller.workspace_id) return false;
  if (caller.attempt_id !== null && caller.attempt_id !== attempt_id) return false;
  return [scope, ...also].some((one) => hearsWith(caller, one, event));
}
