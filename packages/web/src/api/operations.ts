import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type AdminShowOperationsAnswer, adminShowOperations } from 'errand/client';
import { answerOf } from 'errand/client/answer';

/** No event tells that figures changed: they are asked for this often. */
const POLL_MS = 10_000;

export type Operations = AdminShowOperationsAnswer;

/** The figures of the page Operations, with the calls of the last `minutes`; asked for again while the page is open. */
export const operationsQuery = (minutes: number) =>
  queryOptions({
    queryKey: ['operations', minutes],
    queryFn: async ({ signal }) => {
      const operations = await answerOf(adminShowOperations({ minutes }, { signal }));
      // The query has no time of its own while it shows the figures of another range.
      return { operations, at: Date.now() };
    },
    refetchInterval: POLL_MS,
    staleTime: 0,
    // What was shown stays until the figures of another time have come.
    placeholderData: keepPreviousData,
  });
