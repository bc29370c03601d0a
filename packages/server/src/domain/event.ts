import type { AppUser } from './app.ts';
import type { AgentId, AttemptId, ProjectId, RunId, UserId, WorkItemId, WorkspaceId } from './ids.ts';
import type { Scope } from './scope.ts';

/** The readers of an event: which scope they need, in which project, or for which owner. */
interface Audience {
  readonly scope: Scope;
  /** Other scopes; each of them is enough too. */
  readonly also?: readonly Scope[];
  /** The project; null for changes outside of projects. */
  readonly project_id: ProjectId | null;
  /** The owner; null for what belongs to the whole workspace. */
  readonly user_id: UserId | null;
  /** The app and the app's id of its user; absent for what belongs to a person. */
  readonly app_user?: AppUser;
  /** The agent of the run; null for other things and for runs without an agent. */
  readonly agent_id: AgentId | null;
  /** The service that made the run. */
  readonly service_id: string | null;
  /** The attempt. A caller that works within an attempt gets no other events. */
  readonly attempt_id?: AttemptId | null;
}

/** One change, sent to everyone who follows the events. */
export interface EventDraft {
  readonly workspace_id: WorkspaceId;
  /** What changed and how: `step.created`, `execution.quiet`, `work_item.updated`. */
  readonly kind: string;
  readonly entity_id: string | null;
  /** The run that it belongs to; null for what belongs to none. */
  readonly execution_id: RunId | null;
  /** The task that it is about, so that followers read that task alone; absent for what is about none. */
  readonly work_item_id?: WorkItemId | null;
  readonly audience: Audience;
  /** Who made the change; null when a timer did. */
  readonly actor: { readonly user_id: UserId; readonly agent_id: AgentId | null } | null;
  /** For runs: the changed thing as it is now; null where followers must ask for it. */
  readonly data: unknown;
}

export interface Event extends EventDraft {
  /** The number of the event. Numbers have no gaps in one installation. */
  readonly seq: number;
  readonly at: number;
}

/** An event that cannot be read: its row is damaged, or another version wrote it. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  readonly seq: number;

  constructor(seq: number) {
    super(`Change ${seq} cannot be read: listeners are told to ask for everything again.`);
    this.seq = seq;
  }
}

/** How long events are kept, unless the operator says otherwise. */
export const EVENTS_KEPT_MS = 24 * 60 * 60 * 1000;
