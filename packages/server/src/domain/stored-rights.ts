import { z } from 'zod';
import type { Caller } from './caller.ts';
import type { ProjectId } from './ids.ts';
import { isEverywhere, type ProjectRights, type Reach } from './reach.ts';
import type { Scope } from './scope.ts';

/** The projects in which the same was allowed. Scopes are names, so that a stored grant keeps its meaning when scopes are added. */
const StoredGrant = z.object({
  project_ids: z.array(z.string()),
  scopes: z.array(z.string()),
  can_complete: z.boolean(),
  can_cancel: z.boolean(),
});
type StoredGrant = z.infer<typeof StoredGrant>;

/** What a caller was allowed to do when it made something: stored as JSON beside it, to decide later who may see it. */
export const StoredRights = z.object({
  /** Null in records that are older than this form: there the owner and the namespace of the task say the same. */
  principal_id: z.string().nullable(),
  workspace_id: z.string().nullable(),
  /** The people for whom the caller could speak. */
  acts_for: z.union([z.literal('self'), z.literal('*'), z.array(z.string())]),
  /** The projects that the caller reached. */
  projects: z.union([z.literal('all'), z.array(StoredGrant)]),
});
export type StoredRights = z.infer<typeof StoredRights>;

/** Projects with equal rights are stored together: a member of a thousand projects has two kinds of rights in them. */
function grantsOf(reach: ReadonlyMap<ProjectId, ProjectRights>): StoredGrant[] {
  const grants = new Map<string, StoredGrant>();
  for (const [project, { scopes, can_complete, can_cancel }] of reach) {
    const names = [...scopes].sort();
    const key = JSON.stringify([names, can_complete, can_cancel]);
    const grant = grants.get(key) ?? { project_ids: [], scopes: names, can_complete, can_cancel };
    grant.project_ids.push(project);
    grants.set(key, grant);
  }
  return [...grants.values()];
}

export const storedRights = ({ principal_id, workspace_id, acts_for, reach }: Caller): StoredRights => ({
  principal_id,
  workspace_id,
  acts_for: typeof acts_for === 'string' ? acts_for : [...acts_for],
  projects: isEverywhere(reach) ? 'all' : grantsOf(reach),
});

/** A scope that no longer exists is held by nobody, so a grant with it is covered by nobody who is granted by name. */
const holds = (rights: ProjectRights | undefined, { scopes, can_complete, can_cancel }: StoredGrant): boolean =>
  scopes.every((scope) => rights?.scopes.has(scope as Scope)) &&
  (!can_complete || rights?.can_complete === true) &&
  (!can_cancel || rights?.can_cancel === true);

/** Whether someone reaches all the stored projects, with all the rights that were held there. */
export function coversProjects(reach: Reach, stored: StoredRights['projects']): boolean {
  if (isEverywhere(reach)) return true;
  if (stored === 'all') return false;
  // Safe: an id that is no project is not found.
  return stored.every((grant) => grant.project_ids.every((project) => holds(reach.get(project as ProjectId), grant)));
}

/** Whether someone may speak for the stored people: for all of them, or for exactly these. */
export function coversPeople(acts_for: Caller['acts_for'], stored: StoredRights['acts_for']): boolean {
  if (stored === 'self' || acts_for === '*') return true;
  if (stored === '*' || acts_for === 'self') return false;
  const people = new Set<string>(acts_for);
  return people.size === new Set(stored).size && stored.every((user) => people.has(user));
}
