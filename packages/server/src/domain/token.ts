import { z } from 'zod';
import type { Grant } from './agent.ts';
import type { AppAccess } from './app.ts';
import type { AgentId, AttemptId, ProjectId, TokenId, UserId, WorkspaceId } from './ids.ts';
import type { ProjectMember } from './project.ts';
import type { Scope } from './scope.ts';
import type { UserRole, UserStatus } from './user.ts';

export const TokenKind = z.enum(['user', 'service', 'agent', 'attempt']);
export type TokenKind = z.infer<typeof TokenKind>;

/** Which people a token may name: the user it belongs to, those it lists, or all of the workspace. */
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
  /** The attempt that it is for and its project: the token is worth nothing elsewhere; null for other kinds. */
  readonly attempt_id: AttemptId | null;
  readonly project_id: ProjectId | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

/** A token with all that decides what it may do. The store hands out the same object for as long as nothing of it changes. */
export interface KnownToken {
  readonly token: Token;
  readonly owner_status: UserStatus;
  readonly owner_role: UserRole;
  /** What its agent was granted; empty for other kinds. */
  readonly grants: readonly Grant[];
  /** The projects that its user belongs to, their own todo list among them; empty for other kinds. */
  readonly memberships: readonly Pick<ProjectMember, 'project_id' | 'role'>[];
}

/** A token as the gateway meets it: with the store's time. */
export interface PresentedToken {
  readonly known: KnownToken;
  readonly now: number;
}

export const isUsable = ({ known: { token, owner_status }, now }: PresentedToken): boolean =>
  token.revoked_at === null && (token.expires_at === null || token.expires_at > now) && owner_status === 'active';
