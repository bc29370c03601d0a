import { type Caller, hasScope, mayActFor } from '#domain/caller';
import type { UserId } from '#domain/ids';
import { ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';

/** The one check of rights to a tool: what lists show and what calls do cannot differ. */
export const mayCall = (caller: Caller, tool: Tool): boolean => hasScope(caller, tool.scope);

export function authorizeTool(caller: Caller, tool: Tool): void {
  if (mayCall(caller, tool)) return;
  throw new ErrandError(
    'insufficient_scope',
    `${tool.name} needs the scope ${tool.scope}, which this token does not have.`,
    {
      hint: 'Use another tool, or ask whoever made the token for one with this scope.',
      details: { required_scope: tool.scope },
    },
  );
}

/** The user whom the call is about. */
export function authorizeSubject(caller: Caller, named: unknown): UserId {
  if (named === undefined) return caller.user_id;
  if (named === 'me' && caller.kind === 'service') {
    throw new ErrandError('unauthorized', 'A service token has no user of its own.', {
      hint: 'Name the user in user_id by id.',
    });
  }
  // The input was validated: what is not "me" is an id.
  const user = named === 'me' ? caller.user_id : (named as UserId);
  if (mayActFor(caller, user)) return user;
  throw new ErrandError('unauthorized', 'This token may not act for the user named in user_id.', {
    hint: 'Name a user that it may act for, or ask whoever made the token for one that may.',
  });
}
