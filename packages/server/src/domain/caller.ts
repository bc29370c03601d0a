import type { ErrandError } from '#errors';
import type { AppAccess } from './app.ts';
import type { AgentId, AttemptId, TokenId, UserId, WorkspaceId } from './ids.ts';
import type { Reach } from './reach.ts';
import type { Scope } from './scope.ts';
import type { ActsFor, TokenKind } from './token.ts';

/**
 * Who is calling: what is left of a token once it was checked. `local` is the owner of the machine, without a token;
 * `stranger` someone whose token could not be looked up.
 */
export interface Caller {
  readonly kind: TokenKind | 'local' | 'stranger';
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly token_id: TokenId | null;
  /** The attempt that the caller works in; null for none. */
  readonly attempt_id: AttemptId | null;
  /** The attempt that the caller's process was started from. It takes no rights away, and lets tools say where the caller is. */
  readonly context_attempt_id?: AttemptId;
  /** Idempotency keys belong to the principal: the same key of another principal is a different key. */
  readonly principal_id: string;
  /** All scopes that the caller has in at least one project. `reach` decides in which. */
  readonly scopes: ReadonlySet<Scope>;
  readonly reach: Reach;
  /** The scopes of the token itself, also those that are granted in no project. */
  readonly held: ReadonlySet<Scope>;
  readonly acts_for: ActsFor;
  /** The app of a service, and which of its users may be named; null for callers without one. */
  readonly app: AppAccess | null;
  /** When the caller's token expires; null for never. Tokens that it makes expire no later. */
  readonly expires_at: number | null;
  /** Why the caller could not be identified. Every call of the caller fails with it. */
  readonly fault: ErrandError | null;
  /** The profiles whose tools the client wants to see; all of them without. */
  readonly only_profiles?: readonly string[];
  /** Equal for callers who see the same tools, so that lists can be kept per key. */
  readonly scope_key: string;
}

/** The attempt that a question about the surroundings means; null for none. */
export const surroundingAttempt = ({ attempt_id, context_attempt_id }: Caller): AttemptId | null =>
  attempt_id ?? context_attempt_id ?? null;

/** Whether the caller is an agent: a member of a project, or the agent of an attempt. */
export const isProgram = ({ kind }: Pick<Caller, 'kind'>): boolean => kind === 'agent' || kind === 'attempt';

export const hasScope = (caller: Caller, scope: Scope): boolean => caller.scopes.has(scope);

/** Whether the caller may speak for this person. */
export function mayActFor(caller: Caller, user: UserId): boolean {
  if (caller.acts_for === 'self') return user === caller.user_id;
  if (!caller.scopes.has('todo:act_as')) return false;
  return caller.acts_for === '*' || caller.acts_for.includes(user);
}
