import type { AgentId, AgentMessageId, ApprovalId, AttemptId, ProjectId, RunId, UserId, WorkspaceId } from './ids.ts';

/** Words to the agent of an attempt. */
export interface AgentMessage {
  readonly id: AgentMessageId;
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly attempt_id: AttemptId;
  /** The order of the messages of one attempt, from 1. */
  readonly seq: number;
  readonly source: 'person' | 'answer' | 'system';
  readonly text: string;
  /** The question that it answers. */
  readonly approval_id: ApprovalId | null;
  /** Whether the agent's turn is stopped for it. */
  readonly interrupt: boolean;
  readonly status: 'queued' | 'delivered' | 'read' | 'cancelled';
  /** The run that it was given to. */
  readonly execution_id: RunId | null;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly created_at: number;
  readonly delivered_at: number | null;
  readonly read_at: number | null;
}
