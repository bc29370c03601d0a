import { z } from 'zod';
import type { AgentId, ApprovalId, AttemptId, ProjectId, RunId, UserId, WorkItemId, WorkspaceId } from './ids.ts';

export const ApprovalStatus = z.enum(['pending', 'approved', 'denied', 'expired']);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

export const ApprovalOption = z.object({
  option: z.string().describe('What to answer the question with.'),
  name: z.string().describe('What it means, in the words of the agent.'),
  kind: z
    .enum(['allow_once', 'allow_always', 'reject_once', 'reject_always'])
    .describe(
      'Whether it lets the agent go on, and whether for this time only: allow_once, allow_always, reject_once or reject_always.',
    ),
});
export type ApprovalOption = z.infer<typeof ApprovalOption>;

/** A question of a running agent to the person or agent that steers it. */
export interface Approval {
  readonly id: ApprovalId;
  /** The run that asked; null for a question of the tool `ask_person` outside of a run. */
  readonly execution_id: RunId | null;
  /** Null for a question about a task alone. */
  readonly attempt_id: AttemptId | null;
  /** Null in rows of an older server, which belong to the project of their attempt. */
  readonly workspace_id: WorkspaceId | null;
  readonly project_id: ProjectId | null;
  readonly work_item_id: WorkItemId | null;
  /** `protocol`: asked through the executor, and expires with its run. `tool`: asked with `ask_person`. */
  readonly origin: 'protocol' | 'tool';
  readonly asked_by_user_id: UserId | null;
  readonly asked_by_agent_id: AgentId | null;
  readonly kind: 'permission' | 'question';
  /** In one line. */
  readonly question: string;
  /** Details of the question: a command, a change. */
  readonly details: string | null;
  /** JSON of `ApprovalOption[]`; empty for a question that takes any text. */
  readonly options: string;
  readonly status: ApprovalStatus;
  /** The option that was chosen. */
  readonly option: string | null;
  /** The text of the answer, for a question that takes text. */
  readonly answer: string | null;
  readonly answered_by_user_id: UserId | null;
  readonly answered_by_agent_id: AgentId | null;
  readonly created_at: number;
  readonly answered_at: number | null;
}

/** The fields of a question that nobody has answered. */
export const UNANSWERED = {
  status: 'pending',
  option: null,
  answer: null,
  answered_by_user_id: null,
  answered_by_agent_id: null,
  answered_at: null,
} as const satisfies Partial<Approval>;

export const isAllowing = ({ kind }: Pick<ApprovalOption, 'kind'>): boolean => kind.startsWith('allow');
