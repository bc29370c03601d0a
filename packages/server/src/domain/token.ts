import { z } from 'zod';
import type { Grant } from './agent.ts';
import type { AppAccess } from './app.ts';
import type { AgentId, AttemptId, ProjectId, TokenId, UserId, WorkspaceId } from './ids.ts';
import type { ProjectMember } from './project.ts';
import type { Scope } from './scope.ts';
import type { UserRole, UserStatus } from './user.ts';

export const TokenKind = z.enum(['user', 'service', 'agent', 'attempt']);
export type TokenKind = z.infer<typeof TokenKind>;

/** The people whom a token may act for: its own user, those it lists, or everyone in the workspace. */
export type ActsFor = 'self' | '*' | readonly UserId[];

/** A credential. The secret is not here: only its SHA-256 is kept. */
export interface Token {
  readonly id: TokenId;
  readonly workspace_id: WorkspaceId;
  readonly kind: TokenKind;
  readonly name: string;
  readonly hash: string;
  /** The person it belongs to: the user itself, the agent's owner, or the maker of the service token. */
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly scopes: readonly Scope[];
  readonly acts_for: ActsFor;
  /** The app of a service token; null for other kinds, and for service tokens from before apps were kept. */
  readonly app: AppAccess | null;
  /** The attempt of a run's token, and its project. The token is valid only there; null for other kinds. */
  readonly attempt_id: AttemptId | null;
  readonly project_id: ProjectId | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

/** A token with everything that decides its rights. The store returns the same object as long as nothing of it changes. */
export interface KnownToken {
  readonly token: Token;
  readonly owner_status: UserStatus;
  readonly owner_role: UserRole;
  /** What its agent was granted; empty for other kinds. */
  readonly grants: readonly Grant[];
  /** The projects that its user belongs to, their own todo list among them; empty for other kinds. */
  readonly memberships: readonly Pick<ProjectMember, 'project_id' | 'role'>[];
}

/** A token together with the store's current time. */
export interface PresentedToken {
  readonly known: KnownToken;
  readonly now: number;
}

export const isUsable = ({ known: { token, owner_status }, now }: PresentedToken): boolean =>
  token.revoked_at === null && (token.expires_at === null || token.expires_at > now) && owner_status === 'active';
