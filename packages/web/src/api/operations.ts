import { queryOptions } from '@tanstack/react-query';
import { type AdminShowOperationsAnswer, adminShowOperations } from 'errand/client';
import { answerOf } from 'errand/client/answer';

/** No event tells that figures changed: they are asked for this often. */
const POLL_MS = 10_000;

export type Operations = AdminShowOperationsAnswer;

/** The figures of the page Operations, asked for again while it is open. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: ({ signal }) => answerOf(adminShowOperations({ signal })),
  refetchInterval: POLL_MS,
  staleTime: 0,
});
