import { randomUUID } from 'node:crypto';
import { type Answer, INVALID_DETAIL, NO_SUCH_OBJECT, ok, SOMETHING_WRONG, sameExternalId } from './answer.ts';
import { itemFields } from './item-fields.ts';
import { paginate } from './pages.ts';
import { expandedUser, expands, type PlaneRequest, picked } from './request.ts';
import { type PlaneItem, type PlaneWorld, timestamp } from './world.ts';

const NO_QUERY = new URLSearchParams();
const ORDERS = ['created_at', 'updated_at', 'sequence_id', 'sort_order', 'name', 'target_date', 'start_date'] as const;

function represent(world: PlaneWorld, item: PlaneItem, query: URLSearchParams): Readonly<Record<string, unknown>> {
  const { detail_layout, ...fields } = item;
  const state = world.states.find(({ id }) => id === item.state);
  const labels = world.labels.filter(({ id }) => item.labels.includes(id));
  const row = {
    ...fields,
    ...(world.keeps_layout ? { detail_layout } : {}),
    type_id: null,
    type: null,
    deleted_at: null,
    point: null,
    estimate_point: null,
    description_binary: null,
    is_draft: false,
    workspace: world.workspace.id,
    ...(expands(query, 'state') && state
      ? { state: { id: state.id, name: state.name, color: state.color, group: state.group } }
      : {}),
    ...(expands(query, 'labels') ? { labels } : {}),
    ...(expands(query, 'assignees') ? { assignees: item.assignees.map((id) => expandedUser(world, id)) } : {}),
    ...(expands(query, 'created_by') ? { created_by: expandedUser(world, item.created_by) } : {}),
  };
  return picked(row, query);
}

/** Returns items that are not archived. Archived ones cannot be listed or read, but can be changed. */
export const liveItems = ({ world, slug }: PlaneRequest, project: string | undefined): readonly PlaneItem[] =>
  world.items.filter(
    (item) =>
      slug === world.workspace.slug &&
      item.archived_at === null &&
      (project === undefined || item.project === project) &&
      world.projects.some(({ id, archived_at }) => id === item.project && archived_at === null),
  );

function ordered(items: readonly PlaneItem[], order_by: string): readonly PlaneItem[] | null {
  const descends = order_by.startsWith('-');
  const field = ORDERS.find((each) => each === order_by.replace(/^-/, ''));
  if (field === undefined) return null;
  const sign = descends ? -1 : 1;
  return items.toSorted((a, b) => {
    const [left, right] = [a[field] ?? '', b[field] ?? ''];
    return left === right ? b.sequence_id - a.sequence_id : sign * (left < right ? -1 : 1);
  });
}

export function listItems(request: PlaneRequest): Answer {
  const { world, query, params } = request;
  const [external_id, external_source] = [query.get('external_id'), query.get('external_source')];
  if (external_id && external_source) {
    const found = world.items.filter(
      (item) =>
        item.project === params.project_id &&
        item.external_id === external_id &&
        item.external_source === external_source,
    );
    const [only] = found;
    if (only === undefined) return NO_SUCH_OBJECT;
    return found.length > 1 ? SOMETHING_WRONG : ok(represent(world, only, query));
  }
  const rows = ordered(liveItems(request, params.project_id), query.get('order_by') ?? '-created_at');
  return rows === null ? SOMETHING_WRONG : paginate(rows, query, (item) => represent(world, item, query));
}

export function readItem(request: PlaneRequest): Answer {
  const item = liveItems(request, request.params.project_id).find(({ id }) => id === request.params.pk);
  return item === undefined ? NO_SUCH_OBJECT : ok(represent(request.world, item, request.query));
}

const sameOutside = (world: PlaneWorld, project: string, source: unknown, id: unknown): PlaneItem | undefined =>
  world.items.find((item) => item.project === project && item.external_source === source && item.external_id === id);

const completedAt = (world: PlaneWorld, state: string): string | null =>
  world.states.find(({ id }) => id === state)?.group === 'completed' ? timestamp(world) : null;

export function createItem({ world, user, params, body }: PlaneRequest): Answer {
  const project = world.projects.find(({ id }) => id === params.project_id);
  if (project === undefined) return NO_SUCH_OBJECT;
  const outcome = itemFields(world, project.id, body, false);
  if ('refused' in outcome) return outcome.refused;
  const { fields } = outcome;
  if (body.external_id && body.external_source) {
    const same = sameOutside(world, project.id, body.external_source, body.external_id);
    if (same !== undefined) return sameExternalId('Issue', same.id);
  }

  const ours = world.items.filter((item) => item.project === project.id);
  const states = world.states.filter((state) => state.project === project.id);
  const state = fields.state ?? (states.find((each) => each.default) ?? states[0])?.id ?? '';
  const lowest = Math.max(
    ...ours.filter((item) => item.state === state).map(({ sort_order }) => sort_order),
    -Infinity,
  );
  const byDefault = world.members.some(
    ({ member, role, is_active }) => member === project.default_assignee && role >= 15 && is_active,
  );
  const item: PlaneItem = {
    id: randomUUID(),
    project: project.id,
    sequence_id: Math.max(0, ...ours.map(({ sequence_id }) => sequence_id)) + 1,
    name: fields.name ?? '',
    description_html: fields.description_html ?? '<p></p>',
    priority: fields.priority ?? 'none',
    start_date: fields.start_date ?? null,
    target_date: fields.target_date ?? null,
    parent: fields.parent ?? null,
    state,
    sort_order: lowest === -Infinity ? (fields.sort_order ?? 65_535) : lowest + 10_000,
    assignees: fields.assignees?.length
      ? fields.assignees
      : byDefault && project.default_assignee
        ? [project.default_assignee]
        : [],
    labels: fields.labels ?? [],
    completed_at: completedAt(world, state),
    archived_at: null,
    external_source: fields.external_source ?? null,
    external_id: fields.external_id ?? null,
    detail_layout: fields.detail_layout ?? null,
    created_by: user,
    updated_by: null,
    created_at: timestamp(world),
    updated_at: timestamp(world),
  };
  world.items.push(item);
  return ok(represent(world, item, NO_QUERY), 201);
}

export function updateItem({ world, user, params, body }: PlaneRequest): Answer {
  const item = world.items.find(({ id, project }) => id === params.pk && project === params.project_id);
  if (item === undefined) return NO_SUCH_OBJECT;
  const outcome = itemFields(world, item.project, body, true);
  if ('refused' in outcome) return outcome.refused;
  if (body.external_id && body.external_id !== item.external_id) {
    const source = body.external_source ?? item.external_source;
    if (sameOutside(world, item.project, source, body.external_id) !== undefined)
      return sameExternalId('Issue', item.id);
  }
  const { state, ...fields } = outcome.fields;
  if (state === null) return INVALID_DETAIL;
  Object.assign(item, fields, { updated_by: user, updated_at: timestamp(world) });
  if (state !== undefined && state !== item.state)
    Object.assign(item, { state, completed_at: completedAt(world, state) });
  return ok(represent(world, item, NO_QUERY));
}
