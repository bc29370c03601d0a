import { type Answer, NO_SUCH_OBJECT, ok, SOMETHING_WRONG } from './answer.ts';
import { paginate } from './pages.ts';
import { expandedUser, type PlaneRequest, picked } from './request.ts';
import { liveItems } from './work-items.ts';
import type { PlaneProject, PlaneWorld } from './world.ts';

const isIn = ({ world, user }: PlaneRequest, project: string): boolean =>
  world.members.some((each) => each.project === project && each.member === user && each.is_active);

const represent = (request: PlaneRequest, project: PlaneProject) => ({
  ...project,
  workspace: request.world.workspace.id,
  description: '',
  is_member: isIn(request, project.id),
  total_members: request.world.members.filter((each) => each.project === project.id && each.is_active).length,
});

/** Returns the visible projects. All users of the workspace see public ones, but only members see their contents. */
const visibleProjects = (request: PlaneRequest): readonly PlaneProject[] =>
  request.world.projects.filter(({ id, network }) => network === 2 || isIn(request, id));

export function listProjects(request: PlaneRequest): Answer {
  return paginate(visibleProjects(request), request.query, (project) =>
    picked(represent(request, project), request.query),
  );
}

export function readProject(request: PlaneRequest): Answer {
  const project = visibleProjects(request).find(({ id }) => id === request.params.project_id);
  return project === undefined ? NO_SUCH_OBJECT : ok(represent(request, project));
}

const isArchived = ({ world, params }: PlaneRequest): boolean =>
  world.projects.find(({ id }) => id === params.project_id)?.archived_at !== null;

export function listStates(request: PlaneRequest): Answer {
  const { world, params, query } = request;
  const states = world.states.filter(({ project, group }) => project === params.project_id && group !== 'triage');
  const row = (state: PlaneWorld['states'][number]) => picked({ ...state, workspace: world.workspace.id }, query);
  return paginate(isArchived(request) ? [] : states.toSorted((a, b) => a.sequence - b.sequence), query, row);
}

export function listLabels(request: PlaneRequest): Answer {
  const { world, params, query } = request;
  const mine = isIn(request, params.project_id ?? '') && !isArchived(request);
  const labels = world.labels.filter(({ project }) => mine && project === params.project_id).reverse();
  return paginate(labels, query, (label) => picked({ ...label, workspace: world.workspace.id }, query));
}

/** Lists members as a plain array, without roles, including removed members. */
export function listMembers({ world, params }: PlaneRequest): Answer {
  const ids = world.members.filter(({ project }) => project === params.project_id).map(({ member }) => member);
  return ok(world.users.filter(({ id }) => ids.includes(id)).map(({ id }) => expandedUser(world, id)));
}

/** Searches part of a name, a whole number, or part of the project's identifier; newest first, up to `limit`. */
export function searchItems(request: PlaneRequest): Answer {
  const { world, query } = request;
  const search = query.get('search') ?? '';
  if (search === '') return ok({ issues: [] });
  const limit = Number(query.get('limit') ?? 10);
  if (!Number.isInteger(limit) || limit < 0) return SOMETHING_WRONG;
  const project_id = (query.get('workspace_search') ?? 'false') === 'false' ? query.get('project_id') : null;
  const numbers = (search.match(/\b\d+\b/g) ?? []).map(Number);
  const has = (text: string) => text.toLowerCase().includes(search.toLowerCase());

  const found = liveItems(request, project_id ?? undefined).filter((item) => {
    const identifier = world.projects.find(({ id }) => id === item.project)?.identifier ?? '';
    return isIn(request, item.project) && (has(item.name) || numbers.includes(item.sequence_id) || has(identifier));
  });
  const issues = found.reverse().slice(0, limit);
  return ok({
    issues: issues.map(({ name, id, sequence_id, project }) => ({
      name,
      id,
      sequence_id,
      project__identifier: world.projects.find((each) => each.id === project)?.identifier,
      project_id: project,
      workspace__slug: world.workspace.slug,
    })),
  });
}
