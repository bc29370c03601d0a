import { queryOptions } from '@tanstack/react-query';
import { adminListSessions, adminListTokens, adminListUsers, adminShowWorkspace, reportCosts } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { allPages, PAGE_ROWS } from './pages.ts';

/** The name, guide and member management of the workspace. */
export const workspaceQuery = queryOptions({
  queryKey: ['settings', 'workspace'],
  queryFn: ({ signal }) => answerOf(adminShowWorkspace({ signal })),
});

/** The browsers that the person is signed in with. */
export const sessionsQuery = queryOptions({
  queryKey: ['settings', 'sessions'],
  queryFn: ({ signal }) => answerOf(adminListSessions({}, { signal })),
});

export const peopleQuery = queryOptions({
  queryKey: ['users', 'people'],
  queryFn: ({ signal }) =>
    allPages(
      (page) => answerOf(adminListUsers({ limit: PAGE_ROWS, ...page }, { signal })),
      ({ users }) => users,
    ),
});

export type Person = Awaited<ReturnType<NonNullable<typeof peopleQuery.queryFn>>>[number];

/** The tokens of people and services that still work. Sessions of browsers are tokens too, and are listed as such. */
export const tokensQuery = queryOptions({
  queryKey: ['settings', 'tokens'],
  queryFn: async ({ signal }) => {
    const [tokens, { sessions }] = await Promise.all([
      allPages(
        (page) => answerOf(adminListTokens({ limit: PAGE_ROWS, ...page }, { signal })),
        (answer) => answer.tokens,
      ),
      answerOf(adminListSessions({ all: true }, { signal })),
    ]);
    const browsers = new Set(sessions.map(({ session_id }) => session_id));
    const now = new Date().toISOString();
    return tokens.filter(
      ({ token_id, kind, revoked_at, expires_at }) =>
        (kind === 'user' || kind === 'service') &&
        revoked_at === null &&
        (expires_at === null || expires_at > now) &&
        !browsers.has(token_id),
    );
  },
});

export type Token = Awaited<ReturnType<NonNullable<typeof tokensQuery.queryFn>>>[number];

export type CostsBy = 'project' | 'agent' | 'task' | 'day';

/** What agents have spent, by project, agent, task or day, at most 20 rows. */
export const costsQuery = (by: CostsBy) =>
  queryOptions({
    queryKey: ['settings', 'costs', by],
    queryFn: ({ signal }) => answerOf(reportCosts({ by, limit: 20 }, { signal })),
    placeholderData: (before) => before,
  });
