import { z } from 'zod';
import type { AgentId, ApprovalId, AttemptId, RunId, UserId } from './ids.ts';

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
  readonly execution_id: RunId;
  readonly attempt_id: AttemptId;
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

export const isAllowing = ({ kind }: Pick<ApprovalOption, 'kind'>): boolean => kind.startsWith('allow');
