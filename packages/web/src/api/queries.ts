import { QueryClient } from '@tanstack/react-query';
import { isFinal } from './client.ts';

const MAX_RETRIES = 3;

/**
 * The query cache: what was read stays until the event stream says that it changed, and no page asks again by itself. A
 * failed read is tried again, a failed change is not.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, error) => failures < MAX_RETRIES && !isFinal(error),
    },
    mutations: { retry: false },
  },
});
