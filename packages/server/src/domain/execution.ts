import type { AgentId, ExecutionId, ProjectId, UserId, WorkspaceId } from './ids.ts';

type ExecutionStatus = 'queued' | 'running' | 'completed' | 'failed' | 'killed' | 'interrupted';

/** A run of an agent: started here, or `external`, reported by an agent that works elsewhere. */
export interface Execution {
  readonly id: ExecutionId;
  readonly workspace_id: WorkspaceId;
  readonly kind: 'agent' | 'script' | 'external';
  readonly status: ExecutionStatus;
  readonly reason: string | null;
  readonly project_id: ProjectId;
  /** Of the tracker, which may be another system: not always an id of ours. */
  readonly work_item_id: string | null;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly summary: string | null;
  readonly started_at: number;
  readonly ended_at: number | null;
}
