import { z } from 'zod';
import type { AgentId, AttemptId, ProjectId, RunId, SessionId, StepId, UserId, WorkspaceId } from './ids.ts';

export const RunStatus = z.enum(['queued', 'running', 'completed', 'failed', 'killed', 'interrupted']);
export type RunStatus = z.infer<typeof RunStatus>;

export const StepStatus = z.enum(['running', 'completed', 'failed', 'skipped']);
export type StepStatus = z.infer<typeof StepStatus>;

export const FeedKind = z.enum(['message', 'thought', 'tool_call', 'command', 'output', 'edit', 'question', 'status']);
export type FeedKind = z.infer<typeof FeedKind>;

/** An entry of the plan of a run. */
export interface PlanItem {
  readonly content: string;
  readonly status: 'pending' | 'running' | 'completed';
}

/** How long ago a run last reported: within a minute, longer, or so long that a person should look. */
export const Liveness = z.enum(['live', 'quiet', 'stalled']);
export type Liveness = z.infer<typeof Liveness>;

export const RunKind = z.enum(['agent', 'script', 'external']);

/** Steps of one run. Its end ends the open ones in one transaction, for which every other write waits. */
export const MAX_STEPS = 10_000;

export const QUIET_AFTER_MS = 60_000;
export const STALLED_AFTER_MS = 600_000;

/** The fields that decide who may see a run and report on it. */
export interface RunOwner {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  /** The id of the service token that made the run; null for runs made by a person or an agent. */
  readonly service_id: string | null;
  readonly project_id: ProjectId | null;
  /** The attempt of the run; null for runs reported from elsewhere. */
  readonly attempt_id: AttemptId | null;
}

/** A run of an agent: started here, or `external`, reported by an agent that works elsewhere. */
export interface Run extends RunOwner {
  readonly id: RunId;
  /** The session within its attempt; not the agent's own session id. */
  readonly session_id: SessionId | null;
  readonly kind: z.infer<typeof RunKind>;
  readonly name: string | null;
  readonly status: RunStatus;
  /** The reason of the status, where it is not obvious. */
  readonly reason: string | null;
  /** An id of the tracker, which may be another system. */
  readonly work_item_id: string | null;
  /** The agent's own session id. */
  readonly agent_session_id: string | null;
  readonly worktree_path: string | null;
  readonly branch: string | null;
  /** Name and version of the program that the agent runs in. */
  readonly client: string | null;
  /** JSON of `Usage`, each field the highest that was reported. */
  readonly usage: string | null;
  readonly summary: string | null;
  /** JSON of the entries of its plan; null for none. */
  readonly plan: string | null;
  /** When the agent got the message that its budget is nearly used. */
  readonly budget_warned_at: number | null;
  readonly started_at: number;
  /** When the run last reported, to the second: writing it with every step would cost more than the step. */
  readonly seen_at: number;
  readonly liveness: Liveness;
  readonly ended_at: number | null;
  /** The number of its last step. */
  readonly step_count: number;
}

/** The short names of what a run is about: WEB-12 and WEB-12.2. */
export interface RunKeys {
  readonly task_key: string | null;
  readonly attempt_key: string | null;
}

export const StepSource = z.enum(['agent', 'plan', 'tool', 'workflow', 'script']);
export type StepSource = z.infer<typeof StepSource>;

export interface Step {
  readonly id: StepId;
  readonly execution_id: RunId;
  /** The order of the steps of one run, from 1 without gaps. */
  readonly seq: number;
  readonly name: string;
  readonly status: StepStatus;
  readonly message: string | null;
  readonly source: StepSource;
  readonly started_at: number;
  readonly updated_at: number;
  readonly ended_at: number | null;
}

/** An entry of a run's log besides its steps: messages, tool calls, output. */
export interface FeedEntry {
  readonly execution_id: RunId;
  /** The order of the entries of one run, from 1 without gaps. */
  readonly seq: number;
  readonly kind: FeedKind;
  readonly text: string;
  readonly at: number;
}

/** True when Errand started the run; false when it is only reported from elsewhere. */
export const isOurs = ({ kind }: Pick<Run, 'kind'>): boolean => kind !== 'external';

export const isOver = (status: RunStatus): boolean => status !== 'queued' && status !== 'running';

type Given = 'id' | 'kind' | Exclude<keyof RunOwner, 'service_id' | 'attempt_id'> | 'work_item_id' | 'started_at';

/** A run that begins now. Fields that are not given have the value of a run which has reported nothing yet. */
export const newRun = (fields: Pick<Run, Given> & Partial<Run>): Run => ({
  service_id: null,
  attempt_id: null,
  session_id: null,
  name: null,
  status: 'running',
  reason: null,
  agent_session_id: null,
  worktree_path: null,
  branch: null,
  client: null,
  usage: null,
  summary: null,
  plan: null,
  budget_warned_at: null,
  seen_at: fields.started_at,
  liveness: 'live',
  ended_at: null,
  step_count: 0,
  ...fields,
});
