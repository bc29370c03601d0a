import type { Answer } from './answer.ts';
import type { PlaneWorld } from './world.ts';

/** A request with a valid key, before its view answers it. */
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

/** Members of the project may read; members other than guests may write. */
export const entityPermission: Permission = (request) => {
  const role = roleIn(request, request.params.project_id ?? '');
  return role !== null && (request.method === 'GET' || role >= 15);
};

/** Any member of the project is allowed, guests too. */
export const litePermission: Permission = (request) => roleIn(request, request.params.project_id ?? '') !== null;

/** Members of any project of the workspace are allowed. */
export const anyProjectPermission: Permission = ({ world, user, slug }) =>
  slug === world.workspace.slug && world.members.some(({ member, is_active }) => member === user && is_active);

/** All users of the workspace are allowed; the stand-in has one workspace with all users. */
export const workspacePermission: Permission = ({ world, slug }) => slug === world.workspace.slug;

export const anyoneWithKey: Permission = () => true;

/** Keeps only the members named in `fields`. The presenters handle `expand`. */
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

/** Expands a user. A missing user is an empty object, not null. */
export function expandedUser(world: PlaneWorld, id: string | null): unknown {
  const user = world.users.find((each) => each.id === id);
  return user === undefined ? {} : { ...user, avatar: '', avatar_url: null };
}
