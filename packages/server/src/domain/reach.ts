import type { ProjectId, UserId, WorkspaceId } from './ids.ts';
import type { Project } from './project.ts';
import type { Scope } from './scope.ts';
import { GUEST_SCOPES, PROJECT_SCOPES } from './scope.ts';
import type { KnownToken } from './token.ts';

/** The rights of a caller in one project. */
export interface ProjectRights {
  readonly scopes: ReadonlySet<Scope>;
  readonly can_complete: boolean;
  readonly can_cancel: boolean;
}

/** Which projects a caller reaches: every project of the workspace with the same rights, or each with its own. */
export type Reach = ProjectRights | ReadonlyMap<ProjectId, ProjectRights>;

/** The projects that a query may see: the named ones of a workspace, or all except the todo lists of other people. */
export interface Within {
  readonly workspace_id: WorkspaceId;
  readonly project_ids: readonly ProjectId[] | 'all';
  /** The user whose own todo list counts among `all` projects. Without it, no todo list of a person counts. */
  readonly user_id?: UserId;
}

export const isEverywhere = (reach: Reach): reach is ProjectRights => 'scopes' in reach;

/** Whether a caller who reaches every project sees this one: not when it is another user's todo list. */
export const isOpenTo = ({ owner_id }: Pick<Project, 'owner_id'>, user: UserId): boolean =>
  owner_id === null || owner_id === user;

/** Whether what is granted in a project is enough; scopes that are not for projects were checked before. */
export const allows = ({ scopes }: ProjectRights, needed: readonly Scope[]): boolean =>
  needed.every((scope) => !PROJECT_SCOPES.has(scope) || scopes.has(scope));

/** The rights in this project; null when it is out of reach. */
export const rightsIn = (reach: Reach, project: ProjectId): ProjectRights | null =>
  isEverywhere(reach) ? reach : (reach.get(project) ?? null);

/** The projects where all these scopes are held. */
export const withinReach = (reach: Reach, needed: readonly Scope[]): Within['project_ids'] =>
  isEverywhere(reach) ? 'all' : [...reach].filter(([, rights]) => allows(rights, needed)).map(([project]) => project);

/** The scopes that are granted in some project, or need none: what the caller may try. */
export function scopesOf(reach: Reach, held: readonly Scope[]): ReadonlySet<Scope> {
  const accesses = isEverywhere(reach) ? [reach] : [...reach.values()];
  return new Set(
    held.filter((scope) => !PROJECT_SCOPES.has(scope) || accesses.some(({ scopes }) => scopes.has(scope))),
  );
}

export const everywhere = (scopes: readonly Scope[]): ProjectRights => ({
  scopes: new Set(scopes),
  can_complete: true,
  can_cancel: true,
});

/**
 * An agent reaches what it was granted, an attempt its own project, a person the projects they belong to, an admin all
 * of them, a service none.
 */
export function reachOf({ token, owner_role, grants, memberships }: KnownToken): Reach {
  if (token.kind === 'agent') {
    const held = new Set(token.scopes);
    return new Map(
      grants.map(({ project_id, scopes, can_complete, can_cancel }) => [
        project_id,
        { scopes: new Set(scopes.filter((scope) => held.has(scope))), can_complete, can_cancel },
      ]),
    );
  }
  if (token.kind === 'service') return new Map();
  if (token.kind === 'attempt') {
    const rights = { scopes: new Set(token.scopes), can_complete: false, can_cancel: false };
    return new Map(token.project_id === null ? [] : [[token.project_id, rights]]);
  }
  const rights = everywhere(token.scopes);
  if (owner_role === 'admin') return rights;
  const asGuest = {
    scopes: new Set(token.scopes.filter((scope) => GUEST_SCOPES.has(scope))),
    can_complete: false,
    can_cancel: false,
  };
  return new Map(memberships.map(({ project_id, role }) => [project_id, role === 'guest' ? asGuest : rights]));
}
