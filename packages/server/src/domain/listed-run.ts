import type { Approval } from './approval.ts';
import type { AgentId, AttemptId, ProjectId, RunId, UserId } from './ids.ts';
import type { StateGroup } from './project.ts';
import type { Run, StepStatus } from './run.ts';

/** A run as the list of all runs shows it. */
export interface ListedRun
  extends Pick<
    Run,
    | 'kind'
    | 'name'
    | 'status'
    | 'reason'
    | 'liveness'
    | 'client'
    | 'usage'
    | 'summary'
    | 'plan'
    | 'step_count'
    | 'started_at'
    | 'seen_at'
    | 'ended_at'
  > {
  readonly id: RunId;
  readonly project_id: ProjectId | null;
  readonly project_key: string | null;
  readonly work_item_id: string | null;
  readonly task_number: number | null;
  readonly title: string | null;
  /** The group of the state of the task; null without a task here. */
  readonly task_group: StateGroup | null;
  readonly attempt_id: AttemptId | null;
  readonly attempt_number: number | null;
  readonly executor: string | null;
  readonly agent_id: AgentId | null;
  readonly agent_name: string | null;
  readonly user_id: UserId;
  readonly user_name: string | null;
  /** The name of its latest step; null before the first. */
  readonly step: string | null;
  readonly steps_failed: number;
  readonly steps_running: number;
  /** How many of its questions wait. */
  readonly questions: number;
  /** What the oldest of them asks for; null for none. */
  readonly asks: Approval['kind'] | null;
  /** The claim on its task, if the one who runs it holds that. */
  readonly claimed_at: number | null;
  readonly lease_until: number | null;
}

/** What a list shows of a run in addition to its row. */
export interface ListedRunParts {
  /** The status of each step in order; none of a run with more steps than a bar shows. */
  readonly steps: readonly { readonly execution_id: RunId; readonly status: StepStatus }[];
  /** JSON of `ChangedFile[]` by repository of the attempts. */
  readonly files: readonly { readonly attempt_id: AttemptId; readonly files: string | null }[];
}
