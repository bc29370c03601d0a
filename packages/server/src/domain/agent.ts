import type { AgentId, ProjectId, UserId, WorkspaceId } from './ids.ts';
import type { Scope } from './scope.ts';

/** A member that is a program. It works for its owner, who is a person. */
export interface Agent {
  readonly id: AgentId;
  readonly workspace_id: WorkspaceId;
  readonly owner_id: UserId;
  readonly name: string;
  readonly created_at: number;
}

/** The rights of an agent in one project. */
export interface Grant {
  readonly agent_id: AgentId;
  readonly project_id: ProjectId;
  readonly scopes: readonly Scope[];
  readonly can_complete: boolean;
  readonly can_cancel: boolean;
}
