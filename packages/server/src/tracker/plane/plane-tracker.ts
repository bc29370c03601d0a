import type { z } from 'zod';
import { sanitizeHtml } from '#domain/rich-text';
import type { Issue, IssueComment, TaskerAdapter } from '#services/tasker/adapter';
import { COMMENT_QUERY, Comment, pageOf } from './answers.ts';
import { createChanges } from './changes.ts';
import { htmlForPlane } from './description.ts';
import { createLookups } from './lookups.ts';
import { makeOnce } from './make-once.ts';
import { items } from './paths.ts';
import { createPlaneClient, type PlaneAccess } from './plane-client.ts';
import { createSearch } from './search.ts';

const TIMEOUT_MS = 10_000;

const Comments = pageOf(Comment.array());

const commentOf = ({ id, comment_html, actor, created_at }: z.infer<typeof Comment>): IssueComment => ({
  id,
  comment_html: sanitizeHtml(comment_html),
  author: actor === null ? null : { kind: 'user', ...actor },
  created_at,
});

const commentsOf = (issue: Issue): readonly string[] => items(issue.project_id, issue.id, 'comments');

/** Keeps issues in a workspace of Plane, through its public API and one key. */
export function planeTracker(access: PlaneAccess, { timeout_ms = TIMEOUT_MS } = {}): TaskerAdapter {
  const client = createPlaneClient(access, timeout_ms);
  const lookups = createLookups(client);
  const { projects, states, labels, members, find, projectsWithin } = lookups;
  const { create, update } = createChanges(client, lookups);
  const search = createSearch(client);

  return {
    is_local: false,
    projects,
    states,
    labels,
    members,
    find,
    search: async (work, within, query) => search(await projectsWithin(work, within), query),
    create,
    update,

    comments: async (_, issue, limit) => {
      const page = await client.get(Comments, commentsOf(issue), { ...COMMENT_QUERY, per_page: Math.max(1, limit) });
      if (page === null) throw client.failures.notThere();
      return { count: page.total_results, latest: page.results.slice(0, limit).map(commentOf) };
    },

    comment: async ({ operation_id }, issue, comment_html) => {
      const made = await makeOnce(client, {
        path: commentsOf(issue),
        body: { comment_html: htmlForPlane(comment_html) },
        operation_id,
        read: (id) => client.get(Comment, [...commentsOf(issue), id], COMMENT_QUERY),
      });
      return commentOf(made);
    },
  };
}
