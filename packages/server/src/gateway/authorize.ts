import { say, type ToolName } from '#advice';
import { type AppUser, mayName } from '#domain/app';
import { type Caller, hasScope, mayActFor, surroundingAttempt } from '#domain/caller';
import type { ProjectId, UserId } from '#domain/ids';
import { allows, type ProjectRights, rightsIn, type Within, withinReach } from '#domain/reach';
import type { Scope } from '#domain/scope';
import { ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';

/** The only check of rights to a tool. Listing and calling both use it, so they cannot differ. */
export const mayCall = (caller: Caller, tool: Tool): boolean =>
  isThere(caller, tool) && neededBy(caller, tool).every((scope) => hasScope(caller, scope));

/** The scopes that this caller needs for a tool: one within an attempt may need another. */
export const neededBy = ({ attempt_id }: Caller, { for_attempts, scopes }: Tool): readonly Scope[] =>
  for_attempts === null || attempt_id === null ? scopes : [for_attempts];

const isShown = ({ only_profiles }: Caller, { profile }: Tool): boolean => only_profiles?.includes(profile) ?? true;

const isThere = (caller: Caller, tool: Tool): boolean =>
  isShown(caller, tool) && (!tool.bound || surroundingAttempt(caller) !== null);

/** The cast: `ToolName` lists every name of the catalogue. */
const ownName = ({ full_name }: Tool) => ({ tool: full_name as ToolName });

/** The token has the scope, but no project was granted with it: the advice is then a grant, not another token. */
function lacking({ held }: Caller, tool: Tool, scope: Scope): ErrandError {
  const details = { required_scope: scope };
  if (!held.has(scope)) {
    return new ErrandError(
      'insufficient_scope',
      say`${ownName(tool)} needs the scope ${scope}, which this token does not have.`,
      { hint: 'Use another tool, or ask the person who made the token for one with this scope.', details },
    );
  }
  return new ErrandError(
    'insufficient_scope',
    say`${ownName(tool)} needs the scope ${scope}, which no project grants you.`,
    {
      hint: say`The token holds it, but no grant does. Ask the person who runs this server for one: ${{ command: 'agent grant' }}.`,
      details,
    },
  );
}

function mustHold(caller: Caller, tool: Tool, scopes: readonly Scope[]): void {
  for (const scope of scopes) if (!hasScope(caller, scope)) throw lacking(caller, tool, scope);
}

export function authorizeTool(caller: Caller, tool: Tool): void {
  if (!isShown(caller, tool)) {
    const problem = say`${ownName(tool)} is a tool of the profile ${tool.profile}, which this client has left out.`;
    throw new ErrandError('insufficient_scope', problem, {
      hint: 'Connect without ?profiles= and Errand-Profiles, or name this profile there.',
    });
  }
  if (!isThere(caller, tool)) {
    throw new ErrandError(
      'insufficient_scope',
      say`${ownName(tool)} is for agents that Errand runs: you work in no attempt.`,
      {
        hint: 'Name what you mean by its id in another tool.',
      },
    );
  }
  mustHold(caller, tool, neededBy(caller, tool));
}

/** All scopes that this call needs: some fields need a further one. */
export function authorizeFields(caller: Caller, tool: Tool, input: Record<string, unknown>): readonly Scope[] {
  const more = Object.entries(tool.field_scopes).flatMap(([field, scope]) =>
    input[field] === undefined ? [] : [scope],
  );
  const needed = neededBy(caller, tool);
  if (more.length === 0) return needed;
  mustHold(caller, tool, more);
  return [...needed, ...more];
}

/** A person joins a project, also in a browser, where they never saw a token. What a program reaches was granted to its token. */
function notGranted({ kind, agent_id }: Caller, { profile }: Tool): ErrandError {
  const list = { call: profile === 'board' ? 'list_projects' : 'tasker_list_projects' } as const;
  if (kind === 'user' || kind === 'local') {
    return new ErrandError('project_not_granted', 'There is no such project, or you are no member of it.', {
      hint: [
        say`${list} for your projects.`,
        say`An admin adds you to others: ${{ command: 'member add' }} NAME --project KEY.`,
      ],
    });
  }
  return new ErrandError('project_not_granted', 'This token was granted no such project.', {
    hint: [
      say`${list} for the projects that it reaches.`,
      ...(agent_id === null ? [] : [say`A person grants others: ${{ command: 'agent grant' }}.`]),
    ],
  });
}

/** The caller's rights in a project, for a call that needs these scopes. An unknown project gets the same answer as one out of reach. */
export function authorizeProject(
  { caller, tool }: { readonly caller: Caller; readonly tool: Tool },
  needed: readonly Scope[],
  project: ProjectId,
): ProjectRights {
  const rights = rightsIn(caller.reach, project);
  if (rights === null) throw notGranted(caller, tool);
  if (allows(rights, needed)) return rights;
  const missing = needed.filter((scope) => !rights.scopes.has(scope)).join(', ');
  throw new ErrandError(
    'insufficient_scope',
    say`${ownName(tool)} needs ${missing} in this project, which was not granted.`,
    {
      hint: 'Work in another project, or ask the person who made the token to widen its grant.',
      details: { required_scope: missing },
    },
  );
}

/** The projects in which the caller may make a call that needs these scopes. */
export const reachable = ({ reach, workspace_id, user_id }: Caller, needed: readonly Scope[]): Within => ({
  workspace_id,
  user_id,
  project_ids: withinReach(reach, needed),
});

/** The user whom a call is about: a person by their id, or a user of an app by the id that the app gives them. */
export type Subject = UserId | AppUser;

/**
 * Finds the user that `user_id` means; the caller's own user when it is left out. A person's id counts only where the token lists
 * that person. Any other text is an id of the app, so an id that looks like a person's does not reach that person's list.
 */
export function authorizeSubject(caller: Caller, named: unknown): Subject {
  if (named === undefined) return caller.user_id;
  if (named === 'me' && caller.kind === 'service') {
    throw new ErrandError('unauthorized', 'A service token has no user of its own.', {
      hint: say`Name the user in ${{ field: 'user_id' }} by id.`,
    });
  }
  // The input was validated: anything but "me" is an id.
  const user = named === 'me' ? caller.user_id : (named as UserId);
  if (mayActFor(caller, user)) return user;
  const own = caller.app && { app: caller.app.name, external_id: user };
  if (own !== null && hasScope(caller, 'todo:act_as') && mayName(caller.app, own)) return own;
  throw new ErrandError('unauthorized', 'This token may not act for the user named in user_id.', {
    hint: 'Name a user that it may act for, or ask the person who made the token for one that may.',
  });
}
