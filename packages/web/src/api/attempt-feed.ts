import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type FeedEntry, listAttemptFeed } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useEffect, useMemo } from 'react';
import type { Change } from './change.ts';
import { onChange } from './live-store.ts';

export type { FeedEntry } from 'errand/client';

const PAGE = 200;

/** The feed of an attempt: the newest page first, then older ones. New entries come with the events. */
const feedQuery = (attempt: string) =>
  infiniteQueryOptions({
    queryKey: ['feed', attempt],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        listAttemptFeed(attempt, { limit: PAGE, ...(pageParam !== undefined && { before: pageParam }) }, { signal }),
      ),
    getNextPageParam: ({ before }) => before,
  });

const isEntry = (data: Change['data']): boolean =>
  typeof data?.seq === 'number' && typeof data.text === 'string' && typeof data.execution_id === 'string';

const isAfter = (entry: FeedEntry, last: FeedEntry | undefined): boolean =>
  last === undefined ||
  entry.execution_id > last.execution_id ||
  (entry.execution_id === last.execution_id && entry.seq > last.seq);

/** What happened in an attempt, the oldest loaded entry first, live. `runs` are the ids of its runs. */
export function useFeed(attempt: string, runs: readonly string[]) {
  const client = useQueryClient();
  const query = useInfiniteQuery(feedQuery(attempt));
  const known = runs.join();

  useEffect(() => {
    const ids = new Set(known.split(','));
    const { queryKey } = feedQuery(attempt);
    return onChange(({ kind, execution_id, data }) => {
      if (kind !== 'feed.added' || execution_id === null || !ids.has(execution_id)) return;
      if (!isEntry(data)) {
        void client.invalidateQueries({ queryKey });
        return;
      }
      // The event carries the entry as the list does.
      const entry = data as unknown as FeedEntry;
      client.setQueryData(queryKey, (feed) => {
        const [newest, ...older] = feed?.pages ?? [];
        if (feed === undefined || newest === undefined || !isAfter(entry, newest.entries.at(-1))) return feed;
        return { ...feed, pages: [{ ...newest, entries: [...newest.entries, entry] }, ...older] };
      });
    });
  }, [client, attempt, known]);

  const entries = useMemo(
    () => (query.data?.pages ?? []).toReversed().flatMap((page) => page.entries),
    [query.data?.pages],
  );
  return { ...query, entries };
}
