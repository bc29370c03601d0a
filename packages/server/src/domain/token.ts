import { z } from 'zod';
import type { AgentId, TokenId, UserId, WorkspaceId } from './ids.ts';
import type { Scope } from './scope.ts';
import type { UserStatus } from './user.ts';

export const TokenKind = z.enum(['user', 'service', 'agent']);
export type TokenKind = z.infer<typeof TokenKind>;

/** Whom a token may name: the user it belongs to, those it lists, or everyone of the workspace. */
export type ActsFor = 'self' | '*' | readonly UserId[];

/** A credential. The secret is not here: only its SHA-256 is kept. */
export interface Token {
  readonly id: TokenId;
  readonly workspace_id: WorkspaceId;
  readonly kind: TokenKind;
  readonly name: string;
  readonly hash: string;
  /** The person it belongs to: the user itself, the agent's owner, or whoever made the service token. */
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly scopes: readonly Scope[];
  readonly acts_for: ActsFor;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

/** A token as the gateway meets it: with its owner's standing and the store's time. */
export interface PresentedToken {
  readonly token: Token;
  readonly owner_status: UserStatus;
  readonly now: number;
}

export const isUsable = ({ token, owner_status, now }: PresentedToken): boolean =>
  token.revoked_at === null && (token.expires_at === null || token.expires_at > now) && owner_status === 'active';
