import type { z } from 'zod';
import { createOneAtATime } from '#domain/one-at-a-time';
import { sanitizeHtml } from '#domain/rich-text';
import type { Issue, IssueComment, ProjectSource, TaskerAdapter } from '#services/tasker/adapter';
import { COMMENT_QUERY, Comment, pageOf } from './answers.ts';
import { createIssueChanges, type ServerFeatures } from './changes.ts';
import { createDeadlines } from './deadlines.ts';
import { beginningOf, htmlForPlane } from './description.ts';
import { createLookups } from './lookups.ts';
import { makeOnce } from './make-once.ts';
import { items } from './paths.ts';
import { createPlaneClient, type PlaneAccess } from './plane-client.ts';
import { createSearch } from './search.ts';

const TIMEOUT_MS = 10_000;
/** Less than the time after which a call that holds its idempotency key counts as dead. */
const MAX_CALL_MS = 60_000;
const MAX_COMMENT_CHARACTERS = 50_000;

const Comments = pageOf(Comment.array());

const commentOf = ({ id, comment_html, actor, created_at }: z.infer<typeof Comment>): IssueComment => ({
  id,
  comment_html: sanitizeHtml(beginningOf(comment_html, MAX_COMMENT_CHARACTERS)),
  author: actor === null ? null : { kind: 'user', ...actor },
  created_at,
});

const commentsOf = (issue: Issue): readonly string[] => items(issue.project_id, issue.id, 'comments');

interface Times {
  readonly clock: () => number;
  readonly timeout_ms?: number;
  readonly max_call_ms?: number;
}

/** Keeps issues in a workspace of Plane, through its public API with one key. */
export function planeTracker(
  access: PlaneAccess,
  { clock, timeout_ms = TIMEOUT_MS, max_call_ms = MAX_CALL_MS }: Times,
): TaskerAdapter & ProjectSource {
  const clientUntil = createPlaneClient(access, { timeout_ms, clock });
  const deadlineOf = createDeadlines(max_call_ms, clock);
  const oneAtATime = createOneAtATime();
  const features: ServerFeatures = { has_layout_field: false };

  /** The parts for one call. */
  const during = (call: object) => {
    const client = clientUntil(deadlineOf(call));
    const lookups = createLookups(client);
    return { client, lookups, changes: createIssueChanges(client, lookups, features), search: createSearch(client) };
  };

  return {
    is_local: false,
    projects: () => during({}).lookups.projects(),
    states: (work, project) => during(work).lookups.states(work, project),
    labels: (work, project) => during(work).lookups.labels(work, project),
    members: (work, project) => during(work).lookups.members(work, project),
    find: (work, within, id) => during(work).lookups.find(work, within, id),
    lineage: (work, within, id, most) => during(work).lookups.lineage(work, within, id, most),
    search: async (work, within, query) => {
      const { lookups, search } = during(work);
      return search(await lookups.projectsWithin(work, within), query);
    },
    create: (work, issue) => during(work).changes.create(work, issue),
    update: (work, issue, changes) => during(work).changes.update(work, issue, changes),

    exclusively: (work, name, run) => {
      // Starts the deadline here, so that all calls that wait before this one end by its own deadline.
      deadlineOf(work);
      return oneAtATime([name], run);
    },

    comments: async (work, issue, limit) => {
      const { client } = during(work);
      const page = await client.get(Comments, commentsOf(issue), { ...COMMENT_QUERY, per_page: Math.max(1, limit) });
      if (page === null) throw client.failures.notThere();
      return { count: page.total_results, latest: page.results.slice(0, limit).map(commentOf) };
    },

    comment: async (work, issue, { comment_html, only_one_of }) => {
      const { client } = during(work);
      const made = await makeOnce(client, {
        path: commentsOf(issue),
        body: { comment_html: htmlForPlane(comment_html) },
        ...(only_one_of === undefined
          ? { operation_id: work.operation_id }
          : { operation_id: only_one_of, lifetime_ms: Number.POSITIVE_INFINITY }),
        read: (id) => client.get(Comment, [...commentsOf(issue), id], COMMENT_QUERY),
      });
      return commentOf(made);
    },
  };
}
