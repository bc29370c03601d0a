import type { Caller } from './caller.ts';
import type { RunOwner } from './execution.ts';
import type { AgentId, ProjectId, UserId, WorkspaceId } from './ids.ts';
import { allows, isEverywhere, rightsIn, withinReach } from './reach.ts';
import type { Scope } from './scope.ts';

/** Which runs a question may see. */
export interface RunSight {
  readonly workspace_id: WorkspaceId;
  readonly sees: (run: RunOwner) => boolean;
  /** The same rule for lists: whose runs, of which agent besides those of nobody, and of which projects. */
  readonly user_id: UserId;
  readonly agent_id: AgentId | 'any' | 'none';
  readonly project_ids: readonly ProjectId[] | 'all';
}

const isPerson = ({ kind }: Caller): boolean => kind === 'user' || kind === 'local';

/** A person's own runs are all that they and their agents made; an agent's, its own and what its owner left to any of them. */
function isOwn(caller: Caller, { user_id, agent_id }: RunOwner): boolean {
  if (user_id !== caller.user_id) return false;
  return isPerson(caller) || agent_id === null || agent_id === caller.agent_id;
}

/** Whoever administers the workspace, with a token that says so: not each token of theirs. */
const isAdmin = ({ reach, scopes }: Caller): boolean => isEverywhere(reach) && scopes.has('admin');

function isIn({ reach }: Caller, { project_id }: RunOwner, needed: readonly Scope[]): boolean {
  // Of a project that was granted by name: who reaches all of them without administering them sees none that is not theirs.
  const rights = project_id === null || isEverywhere(reach) ? null : rightsIn(reach, project_id);
  return rights !== null && allows(rights, needed);
}

const READING: readonly Scope[] = ['issue:read'];
const REPORTING: readonly Scope[] = ['issue:comment'];

/** Whoever may read the work items of a project may see its runs. */
export const readableRuns = (caller: Caller): RunSight => ({
  workspace_id: caller.workspace_id,
  sees: (run) =>
    run.workspace_id === caller.workspace_id && (isOwn(caller, run) || isAdmin(caller) || isIn(caller, run, READING)),
  user_id: caller.user_id,
  agent_id: isPerson(caller) ? 'any' : (caller.agent_id ?? 'none'),
  get project_ids() {
    if (isEverywhere(caller.reach)) return isAdmin(caller) ? 'all' : [];
    return withinReach(caller.reach, READING);
  },
});

/** Runs that a person made are open to whoever may report in their project; those that an agent made, to no other agent. */
export const reportableRuns = (caller: Caller): Pick<RunSight, 'workspace_id' | 'sees'> => ({
  workspace_id: caller.workspace_id,
  sees: (run) => {
    if (run.workspace_id !== caller.workspace_id) return false;
    if (isOwn(caller, run) || isAdmin(caller)) return true;
    return run.agent_id === null && isIn(caller, run, REPORTING);
  },
});
