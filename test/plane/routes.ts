import { createComment, listComments, readComment } from './comments.ts';
import { listLabels, listMembers, listProjects, listStates, readProject, searchItems } from './project-parts.ts';
import {
  anyoneWithKey,
  anyProjectPermission,
  entityPermission,
  litePermission,
  type Permission,
  type View,
  workspacePermission,
} from './request.ts';
import { createItem, listItems, readItem, updateItem } from './work-items.ts';

interface Route {
  readonly pattern: RegExp;
  readonly may: Permission;
  readonly views: Readonly<Record<string, View>>;
}

// Lower case only: an id in upper case matches no route.
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

function route(path: string, may: Permission, views: Readonly<Record<string, View>>): Route {
  const inside = path
    .replace('{slug}', '(?<slug>[^/]+)')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${UUID})`);
  return { pattern: new RegExp(`^/api/v1/workspaces/${inside}$`), may, views };
}

const items = (noun: string): readonly Route[] => [
  route(`{slug}/${noun}/search/`, anyoneWithKey, { GET: searchItems }),
  route(`{slug}/projects/{project_id}/${noun}/`, entityPermission, { GET: listItems, POST: createItem }),
  route(`{slug}/projects/{project_id}/${noun}/{pk}/`, entityPermission, { GET: readItem, PATCH: updateItem }),
  route(`{slug}/projects/{project_id}/${noun}/{issue_id}/comments/`, litePermission, {
    GET: listComments,
    POST: createComment,
  }),
  route(`{slug}/projects/{project_id}/${noun}/{issue_id}/comments/{pk}/`, litePermission, { GET: readComment }),
];

const ROUTES: readonly Route[] = [
  route('{slug}/projects/', workspacePermission, { GET: listProjects }),
  route('{slug}/projects/{project_id}/', workspacePermission, { GET: readProject }),
  route('{slug}/projects/{project_id}/states/', entityPermission, { GET: listStates }),
  route('{slug}/projects/{project_id}/labels/', anyProjectPermission, { GET: listLabels }),
  route('{slug}/projects/{project_id}/members/', anyProjectPermission, { GET: listMembers }),
  ...items('work-items'),
  ...items('issues'),
];

export interface Match {
  readonly may: Permission;
  readonly views: Readonly<Record<string, View>>;
  readonly params: Readonly<Record<string, string>>;
}

export function matchRoute(pathname: string): Match | null {
  for (const { pattern, may, views } of ROUTES) {
    const match = pattern.exec(pathname);
    if (match !== null) return { may, views, params: match.groups ?? {} };
  }
  return null;
}
