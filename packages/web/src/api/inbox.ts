import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type GetAttemptAnswer, getAttempt, type ListInboxAnswer, listInbox, listRuns } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { firstCursor } from './pages.ts';

export type Inbox = ListInboxAnswer;
export type InboxRow = Inbox['rows'][number];
export type InboxKind = InboxRow['kind'];

const PAGE = 100;

/** What needs a person in all projects, newest first. */
export const inboxQuery = infiniteQueryOptions({
  queryKey: ['inbox', 'rows'],
  queryFn: ({ pageParam, signal }) =>
    answerOf(listInbox({ limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) }, { signal })),
  initialPageParam: firstCursor(),
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

export type ShortAttempt = GetAttemptAnswer;

/** An attempt that something waits in: where it runs, and how far it is. */
export const shortAttemptQuery = (attempt_id: string) =>
  queryOptions({
    queryKey: ['attempt', attempt_id, 'short'],
    queryFn: ({ signal }) => answerOf(getAttempt(attempt_id, {}, { signal })),
  });

/** The newest run of an attempt: in which program, and for whom. */
export const latestRunQuery = (attempt_id: string) =>
  queryOptions({
    queryKey: ['runs', 'attempt', attempt_id],
    queryFn: async ({ signal }) => (await answerOf(listRuns({ attemptId: attempt_id, limit: 1 }, { signal }))).runs,
  });

/** How much needs a person, and the newest of it: small enough to be read on every page. */
export const inboxCountQuery = queryOptions({
  queryKey: ['inbox', 'count'],
  queryFn: ({ signal }) => answerOf(listInbox({ limit: 1 }, { signal })),
});

export const total = (counts: Inbox['counts']): number => Object.values(counts).reduce((sum, each) => sum + each, 0);

/** What an entry is called in the address and in the list: the thing that waits. */
export const idOf = ({ kind, approval_id, attempt_key, attempt_id, execution_id, since }: InboxRow): string =>
  approval_id ?? `${kind}-${attempt_key ?? attempt_id ?? execution_id ?? since}`;

/** An answer without some entries: what a person sees before the server has answered. */
export function withoutRows(inbox: Inbox, gone: ReadonlySet<string>): Inbox {
  const counts = { ...inbox.counts };
  const rows = inbox.rows.filter((row) => {
    const isGone = gone.has(idOf(row));
    if (isGone) counts[row.kind] = Math.max(0, counts[row.kind] - 1);
    return !isGone;
  });
  return { ...inbox, rows, counts };
}

/** Takes entries out of the list at once. Returns what brings them back. */
export async function takeOut(client: QueryClient, gone: ReadonlySet<string>): Promise<() => void> {
  // An answer that is on its way would bring the rows back.
  await client.cancelQueries({ queryKey: inboxQuery.queryKey });
  const before = client.getQueryData<InfiniteData<Inbox, string | null>>(inboxQuery.queryKey);
  client.setQueryData<InfiniteData<Inbox, string | null>>(
    inboxQuery.queryKey,
    (now) => now && { ...now, pages: now.pages.map((page) => withoutRows(page, gone)) },
  );
  return () => client.setQueryData(inboxQuery.queryKey, before);
}
