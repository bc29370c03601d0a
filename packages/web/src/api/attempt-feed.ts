import { type InfiniteData, infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type FeedEntry, type ListAttemptFeedAnswer, listAttemptFeed } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useCallback, useEffect, useMemo } from 'react';
import type { Change } from './change.ts';
import { useLateEvents } from './late-events.ts';
import { onChange } from './live-store.ts';
import { firstCursor } from './pages.ts';

export type { FeedEntry } from 'errand/client';
export type RunPrompt = ListAttemptFeedAnswer['prompts'][number];

/** Who sent the messages to the agent, by the entries that show them. */
export type Senders = ReadonlyMap<string, NonNullable<RunPrompt['by']>>;

/** The name of an entry among all runs of its attempt. */
export const entryKey = ({ execution_id, seq }: Pick<FeedEntry, 'execution_id' | 'seq'>): string =>
  `${execution_id}:${seq}`;

const PAGE = 200;

/** The feed of an attempt: the newest page first, then older ones. New entries come with the events. */
const feedQuery = (attempt: string) =>
  infiniteQueryOptions({
    queryKey: ['feed', attempt],
    // Nobody follows the events for a feed that no page shows.
    staleTime: 0,
    initialPageParam: firstCursor(),
    queryFn: ({ pageParam, signal }) =>
      answerOf(listAttemptFeed(attempt, { limit: PAGE, ...(pageParam !== null && { before: pageParam }) }, { signal })),
    getNextPageParam: ({ before }) => before,
  });

const isEntry = (data: Change['data']): boolean =>
  typeof data?.seq === 'number' && typeof data.text === 'string' && typeof data.execution_id === 'string';

const isMessage = (data: Change['data']): boolean =>
  data?.kind === 'status' && / to the agent: /.test(String(data.text));

const isAfter = (entry: FeedEntry, last: FeedEntry | undefined): boolean =>
  last === undefined ||
  entry.execution_id > last.execution_id ||
  (entry.execution_id === last.execution_id && entry.seq > last.seq);

type Feed = InfiniteData<ListAttemptFeedAnswer>;

/** The feed with an entry at its end. An entry that is there already is not added again. */
function withEntry(feed: Feed, entry: FeedEntry): Feed {
  const [newest, ...older] = feed.pages;
  if (newest === undefined || !isAfter(entry, newest.entries.at(-1))) return feed;
  return { ...feed, pages: [{ ...newest, entries: [...newest.entries, entry] }, ...older] };
}

/** What happened in an attempt, the oldest loaded entry first, live. `runs` are the ids of its runs. */
export function useFeed(attempt: string, runs: readonly string[]) {
  const client = useQueryClient();
  const options = useMemo(() => feedQuery(attempt), [attempt]);
  const { queryKey } = options;
  const query = useInfiniteQuery(options);
  const known = runs.join();
  const add = useLateEvents(
    queryKey,
    useCallback(
      (entry: FeedEntry) => client.setQueryData(queryKey, (feed) => feed && withEntry(feed, entry)),
      [client, queryKey],
    ),
  );

  useEffect(() => {
    const ids = new Set(known.split(','));
    return onChange(({ kind, execution_id, data }) => {
      if (kind !== 'feed.added' || execution_id === null || !ids.has(execution_id)) return;
      // The event carries the entry as the list does.
      if (isEntry(data)) add(data as unknown as FeedEntry);
      // No event carries who sent a message to the agent.
      if (!isEntry(data) || isMessage(data)) void client.invalidateQueries({ queryKey });
    });
  }, [client, queryKey, known, add]);

  const latest = runs.toSorted().at(-1) ?? '';
  useEffect(() => {
    // No event carries the prompt of a run that begins while the page is open.
    const known = client.getQueryData(queryKey)?.pages.flatMap(({ prompts }) => prompts);
    if (known?.some(({ execution_id }) => execution_id >= latest) === false) {
      void client.invalidateQueries({ queryKey });
    }
  }, [client, queryKey, latest]);

  const entries = useMemo(
    () => (query.data?.pages ?? []).toReversed().flatMap((page) => page.entries),
    [query.data?.pages],
  );
  const prompts = useMemo(
    () => (query.data?.pages ?? []).toReversed().flatMap((page) => page.prompts),
    [query.data?.pages],
  );
  const senders: Senders = useMemo(() => {
    const all = (query.data?.pages ?? []).flatMap((page) => page.senders);
    return new Map(all.flatMap((sender) => (sender.by === null ? [] : [[entryKey(sender), sender.by] as const])));
  }, [query.data?.pages]);
  return { ...query, entries, prompts, senders };
}
