import { queryOptions } from '@tanstack/react-query';
import { taskerSearchIssues } from 'errand/client';
import { answerOf } from 'errand/client/answer';

const MAX_FOUND = 8;

/** The tasks that a few words find, in all projects. */
export const searchQuery = (query: string) =>
  queryOptions({
    queryKey: ['tasks', 'search', query],
    enabled: query.length > 1,
    queryFn: ({ signal }) => answerOf(taskerSearchIssues({ query, limit: MAX_FOUND }, { signal })),
    staleTime: 5_000,
    placeholderData: (before) => before,
  });
