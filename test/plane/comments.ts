import { randomUUID } from 'node:crypto';
import { type Answer, INVALID_PAYLOAD, invalid, NO_SUCH_OBJECT, ok, sameExternalId } from './answer.ts';
import { paginate } from './pages.ts';
import { expandedUser, expands, type PlaneRequest, picked } from './request.ts';
import { type PlaneComment, type PlaneWorld, timestamp } from './world.ts';

function represent(world: PlaneWorld, comment: PlaneComment, query: URLSearchParams) {
  const row = {
    ...comment,
    updated_at: comment.created_at,
    deleted_at: null,
    attachments: [],
    edited_at: null,
    parent: null,
    workspace: world.workspace.id,
    created_by: comment.actor,
    updated_by: null,
    ...(expands(query, 'actor') ? { actor: expandedUser(world, comment.actor) } : {}),
  };
  return picked(row, query);
}

const ofIssue = ({ world, params }: PlaneRequest): readonly PlaneComment[] =>
  world.comments.filter(({ project, issue }) => project === params.project_id && issue === params.issue_id).reverse();

/** Lists comments. For an unknown work item the list is empty, which is no error. */
export const listComments = (request: PlaneRequest): Answer =>
  paginate(ofIssue(request), request.query, (comment) => ({
    ...represent(request.world, comment, request.query),
    is_member: true,
  }));

export function readComment(request: PlaneRequest): Answer {
  const comment = ofIssue(request).find(({ id }) => id === request.params.pk);
  return comment === undefined
    ? NO_SUCH_OBJECT
    : ok({ ...represent(request.world, comment, request.query), is_member: true });
}

// Plane neither sanitizes the HTML of comments nor checks the project of the work item.
export function createComment({ world, user, params, body }: PlaneRequest): Answer {
  const { comment_html = '<p></p>', external_id = null, external_source = null, access = 'INTERNAL' } = body;
  const same = world.comments.find(
    (each) =>
      each.project === params.project_id &&
      each.external_id === external_id &&
      each.external_source === external_source,
  );
  if (external_id && external_source && same) return sameExternalId('Work item comment', same.id);
  if (typeof comment_html !== 'string')
    return invalid({ comment_html: [comment_html === null ? 'This field may not be null.' : 'Not a valid string.'] });
  if (access !== 'INTERNAL' && access !== 'EXTERNAL')
    return invalid({ access: [`"${String(access)}" is not a valid choice.`] });
  if (String(external_id ?? '').length > 255)
    return invalid({ external_id: ['Ensure this field has no more than 255 characters.'] });
  if (!world.items.some(({ id }) => id === params.issue_id)) return INVALID_PAYLOAD;

  const comment = {
    id: randomUUID(),
    project: params.project_id ?? '',
    issue: params.issue_id ?? '',
    comment_html: comment_html.trim(),
    access,
    external_source: external_source === null ? null : String(external_source),
    external_id: external_id === null ? null : String(external_id),
    actor: user,
    created_at: timestamp(world),
  };
  world.comments.push(comment);
  return ok(represent(world, comment, new URLSearchParams()), 201);
}
