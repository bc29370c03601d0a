import type { Answer } from './answer.ts';
import type { PlaneWorld } from './world.ts';

/** A request that has a known key, on its way to the view that answers it. */
export interface PlaneRequest {
  readonly world: PlaneWorld;
  readonly user: string;
  readonly method: string;
  readonly slug: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

export type View = (request: PlaneRequest) => Answer;

const roleIn = ({ world, user, slug }: PlaneRequest, project: string): number | null => {
  if (slug !== world.workspace.slug) return null;
  const found = world.members.find((member) => member.project === project && member.member === user);
  return found?.is_active ? found.role : null;
};

export type Permission = (request: PlaneRequest) => boolean;

/** Reading takes a member of the project, writing one who is more than a guest. */
export const entityPermission: Permission = (request) => {
  const role = roleIn(request, request.params.project_id ?? '');
  return role !== null && (request.method === 'GET' || role >= 15);
};

/** Any member of the project, guests too. */
export const litePermission: Permission = (request) => roleIn(request, request.params.project_id ?? '') !== null;

/** A member of some project of the workspace. */
export const anyProjectPermission: Permission = ({ world, user, slug }) =>
  slug === world.workspace.slug && world.members.some(({ member, is_active }) => member === user && is_active);

/** Someone of the workspace; the stand-in has one workspace, and all its users are in it. */
export const workspacePermission: Permission = ({ world, slug }) => slug === world.workspace.slug;

export const anyoneWithKey: Permission = () => true;

/** `fields` keeps only what is named; `expand` is taken care of by whoever presents. */
export function picked(
  row: Readonly<Record<string, unknown>>,
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const fields = (query.get('fields') ?? '').split(',').filter((field) => field !== '');
  if (fields.length === 0) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)));
}

export const expands = (query: URLSearchParams, field: string): boolean =>
  (query.get('expand') ?? '').split(',').includes(field);

/** An expanded reference to nobody is an empty object, not null. */
export function expandedUser(world: PlaneWorld, id: string | null): unknown {
  const user = world.users.find((each) => each.id === id);
  return user === undefined ? {} : { ...user, avatar: '', avatar_url: null };
}
