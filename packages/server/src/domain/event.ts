import type { AppUser } from './app.ts';
import type { AgentId, AttemptId, ProjectId, RunId, UserId, WorkspaceId } from './ids.ts';
import type { Scope } from './scope.ts';

/** Who may hear of a change: holders of a scope, where it happened, or whom it belongs to. */
interface Audience {
  readonly scope: Scope;
  /** Other scopes, any of which is enough as well. */
  readonly also?: readonly Scope[];
  /** Where it happened; null for what belongs to no project. */
  readonly project_id: ProjectId | null;
  /** Whose it is; null for what belongs to the workspace as a whole. */
  readonly user_id: UserId | null;
  /** The app whose user it is, with the app's own id of them; absent for what belongs to a person. */
  readonly app_user?: AppUser;
  /** The agent whose run it is; null for what is no run, or nobody's. */
  readonly agent_id: AgentId | null;
  /** The service whose run it is. */
  readonly service_id: string | null;
  /** The attempt that it is about: those who work within one hear of nothing else. */
  readonly attempt_id?: AttemptId | null;
}

/** One change of something, told to whoever listens. */
export interface EventDraft {
  readonly workspace_id: WorkspaceId;
  /** What changed and how: `step.created`, `execution.quiet`, `work_item.updated`. */
  readonly kind: string;
  readonly entity_id: string | null;
  /** The run that it belongs to; null for what belongs to none. */
  readonly execution_id: RunId | null;
  readonly audience: Audience;
  /** Who did it; null for the clock. */
  readonly actor: { readonly user_id: UserId; readonly agent_id: AgentId | null } | null;
  /** The thing as it is now, for runs; null where listeners must ask for it. */
  readonly data: unknown;
}

export interface Event extends EventDraft {
  /** One more than that of the change before it, over the whole installation. */
  readonly seq: number;
  readonly at: number;
}

/** A change of which nobody can tell any more what it was: damaged, or written by a version that is not this one. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  readonly seq: number;

  constructor(seq: number) {
    super(`Change ${seq} cannot be read: listeners are told to ask for everything again.`);
    this.seq = seq;
  }
}

/** How long changes can be asked for again. */
export const EVENTS_KEPT_MS = 24 * 60 * 60 * 1000;
