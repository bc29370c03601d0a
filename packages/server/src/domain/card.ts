import type { Approval } from './approval.ts';
import type { AttemptRepo } from './attempt.ts';
import type { Claim } from './claim.ts';
import type { AgentId, AttemptId, LabelId, RunId, StateId, UserId, WorkItemId } from './ids.ts';
import type { Run, Step, StepStatus } from './run.ts';

/** A card of a column, and its place in the column. */
export interface CardPlace {
  readonly id: WorkItemId;
  readonly place: number;
}

export interface ColumnCount {
  readonly state_id: StateId;
  readonly count: number;
}

/** A thing with the id of its task. */
export type OfTask<Thing> = Thing & { readonly work_item_id: WorkItemId };

export interface CardLabel {
  readonly id: LabelId;
  readonly name: string;
}

export interface CardPerson {
  readonly id: UserId;
  readonly name: string;
}

/** The claim of a task: its holder and its end. */
export interface CardClaim extends Pick<Claim, 'claimed_at' | 'lease_until'> {
  readonly agent_id: AgentId | null;
  readonly user_id: UserId | null;
  readonly name: string;
}

export interface CardFacts {
  readonly id: WorkItemId;
  /** JSON of `DetailLayout`. */
  readonly detail_layout: string | null;
  readonly sort_order: number;
  readonly completed_at: number | null;
  readonly target_date: string | null;
  readonly children: number;
  readonly open_children: number;
  /** Messages to its agents that none has read. */
  readonly unread_messages: number;
}

/** The key of a task that is to be completed first. */
export interface CardBlocker {
  readonly project_key: string | null;
  readonly number: number | null;
}

/** The newest run of a task. */
export interface CardRun
  extends Pick<Run, 'status' | 'liveness' | 'client' | 'plan' | 'step_count' | 'started_at' | 'seen_at' | 'ended_at'> {
  readonly id: RunId;
  readonly attempt_id: AttemptId | null;
  readonly agent_id: AgentId | null;
  readonly agent_name: string | null;
}

export type CardStep = Pick<Step, 'execution_id' | 'seq' | 'name' | 'status'>;

/** How many steps of a long run have each status. */
export interface StepCount {
  readonly execution_id: RunId;
  readonly status: StepStatus;
  readonly count: number;
}

export type CardQuestion = Pick<Approval, 'id' | 'kind' | 'question' | 'details' | 'options' | 'created_at'>;

/** What an attempt changes in a repository: JSON of `ChangedFile[]`, and where its branch begins and ends. */
export type CardRepo = Pick<AttemptRepo, 'files' | 'base_commit' | 'head_commit'>;

/** Everything that cards show in addition to the rows of their tasks, for several tasks at once. */
export interface CardParts {
  readonly facts: readonly CardFacts[];
  readonly labels: readonly OfTask<CardLabel>[];
  readonly people: readonly OfTask<CardPerson>[];
  readonly claims: readonly OfTask<CardClaim>[];
  readonly blockers: readonly OfTask<CardBlocker>[];
  readonly questions: readonly OfTask<CardQuestion>[];
  readonly runs: readonly OfTask<CardRun>[];
  readonly steps: readonly CardStep[];
  readonly step_counts: readonly StepCount[];
  /** The repositories of the newest attempts. */
  readonly files: readonly OfTask<CardRepo>[];
}

/** A bar shows every step up to this many; of a longer run only how many have each status. */
export const MAX_BAR_STEPS = 24;
