import type { Caller } from './caller.ts';
import type { AgentId, AttemptId, ProjectId, TokenId, UserId, WorkspaceId } from './ids.ts';
import { isEverywhere, type ProjectRights, rightsIn } from './reach.ts';
import type { RunOwner } from './run.ts';
import type { Scope } from './scope.ts';

/** Which runs a caller may see. */
export interface RunVisibility {
  readonly workspace_id: WorkspaceId;
  readonly sees: (run: RunOwner) => boolean;
  /** The same rule as data, for the queries of lists. */
  readonly whose: 'person' | 'agent' | 'service' | 'attempt';
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly service_id: string;
  /** The only attempt whose runs the caller sees; null for a caller outside of an attempt. */
  readonly attempt_id: AttemptId | null;
  readonly own_project_ids: readonly ProjectId[];
  readonly project_ids: readonly ProjectId[] | 'all';
}

const isPerson = ({ kind }: Caller): boolean => kind === 'user' || kind === 'local';

const whoAsks = (caller: Caller): RunVisibility['whose'] => {
  if (caller.attempt_id !== null) return 'attempt';
  if (isPerson(caller)) return 'person';
  return caller.kind === 'service' ? 'service' : 'agent';
};

/** An agent or service does not see its own runs in a project that it does not reach, or no longer reaches. */
const isWithin = ({ reach }: Caller, { project_id }: RunOwner): boolean =>
  project_id === null || rightsIn(reach, project_id) !== null;

/**
 * A person's own runs are those made by the person and by their agents. An agent's own runs are its own and those of its owner that name no agent.
 * A service's own runs are those that it made. For agents and services the project, if any, must be within reach.
 */
function isOwn(caller: Caller, run: RunOwner): boolean {
  if (run.user_id !== caller.user_id) return false;
  if (isPerson(caller)) return true;
  if (!isWithin(caller, run)) return false;
  if (caller.kind === 'service') return run.service_id === caller.principal_id;
  return run.agent_id === null || run.agent_id === caller.agent_id;
}

/** An administrator whose token has the scope `admin`: other tokens of the same person do not count. */
const isAdmin = ({ reach, scopes }: Caller): boolean => isEverywhere(reach) && scopes.has('admin');

const holdsOne = ({ scopes }: ProjectRights, of: readonly Scope[]): boolean => of.some((scope) => scopes.has(scope));

function isIn({ reach }: Caller, { project_id }: RunOwner, needed: readonly Scope[]): boolean {
  // Only projects granted by name count: a caller that reaches every project without the scope `admin` sees only its own runs.
  const rights = project_id === null || isEverywhere(reach) ? null : rightsIn(reach, project_id);
  return rights !== null && holdsOne(rights, needed);
}

// Each of these scopes is enough.
const READING: readonly Scope[] = ['issue:read', 'board:read'];
const REPORTING: readonly Scope[] = ['issue:comment'];

/** A caller within an attempt sees only the runs of that attempt. */
const isOfAttempt = ({ attempt_id }: Caller, run: RunOwner): boolean => run.attempt_id === attempt_id;

const known = new WeakMap<Caller, RunVisibility>();

/** A caller that may read the work items of a project may see its runs. Made once for each caller: reports ask for it in every call. */
export function readableRuns(caller: Caller): RunVisibility {
  const visibility = known.get(caller) ?? visibilityOf(caller);
  known.set(caller, visibility);
  return visibility;
}

const visibilityOf = (caller: Caller): RunVisibility => ({
  workspace_id: caller.workspace_id,
  sees: (run) => {
    if (run.workspace_id !== caller.workspace_id) return false;
    if (caller.attempt_id !== null) return isOfAttempt(caller, run);
    return isOwn(caller, run) || isAdmin(caller) || isIn(caller, run, READING);
  },
  whose: whoAsks(caller),
  user_id: caller.user_id,
  agent_id: caller.agent_id,
  service_id: caller.principal_id,
  attempt_id: caller.attempt_id,
  get own_project_ids() {
    return isEverywhere(caller.reach) ? [] : [...caller.reach.keys()];
  },
  get project_ids() {
    if (isEverywhere(caller.reach)) return isAdmin(caller) ? 'all' : [];
    return [...caller.reach].filter(([, rights]) => holdsOne(rights, READING)).map(([project]) => project);
  },
});

/** The reports of a run that Errand started come from its agent, and the next run reads them: others may not write them. */
const mayCorrect = (caller: Caller, { user_id }: RunOwner): boolean =>
  isAdmin(caller) || (isPerson(caller) && user_id === caller.user_id);

/**
 * Whether a caller may begin runs in a project, report on those of others there, and report costs, which count for its budgets. A
 * guest may not, nor a person who has left: one large number would keep every agent of the project from beginning.
 */
export function mayReportIn(caller: Caller, project_id: ProjectId | null): boolean {
  if (project_id === null || !isPerson(caller)) return true;
  return rightsIn(caller.reach, project_id)?.scopes.has('execution:report') === true;
}

/** A caller that may report in a project may report on runs that a person made there, and on no run of another agent. */
export const reportableRuns = (caller: Caller): Pick<RunVisibility, 'workspace_id' | 'sees'> => ({
  workspace_id: caller.workspace_id,
  sees: (run) => {
    if (run.workspace_id !== caller.workspace_id) return false;
    if (caller.attempt_id !== null) return isOfAttempt(caller, run);
    if (run.attempt_id !== null) return mayCorrect(caller, run);
    if (isOwn(caller, run) || isAdmin(caller)) return true;
    return run.agent_id === null && isIn(caller, run, REPORTING) && mayReportIn(caller, run.project_id);
  },
});

/**
 * Whether a caller who may report on a run may also report its cost, which counts for the budgets of the run's task, project and
 * agent. `own_token` is the token that the agent of a run of ours has; another run of the same attempt has another.
 */
export const mayReportUsage = (caller: Caller, run: RunOwner, own_token: TokenId | null): boolean => {
  if (caller.attempt_id !== null) return caller.token_id !== null && caller.token_id === own_token;
  if (!mayReportIn(caller, run.project_id)) return false;
  return isAdmin(caller) || (run.attempt_id === null ? isOwn(caller, run) : mayCorrect(caller, run));
};
