import { type QueryKey, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that adds what an event brings to the answer of a query. What comes while the query is being read
 * is added again afterwards: the answer may be older than the event.
 */
export function useLateEvents<Item>(queryKey: QueryKey, add: (item: Item) => void): (item: Item) => void {
  const client = useQueryClient();
  const late = useRef<Item[]>([]);
  const isReading = useIsFetching({ queryKey, exact: true }) > 0;
  useEffect(() => {
    if (!isReading) for (const item of late.current.splice(0)) add(item);
  }, [isReading, add]);
  return useCallback(
    (item) => {
      if (client.getQueryState(queryKey)?.fetchStatus === 'fetching') late.current.push(item);
      add(item);
    },
    [client, queryKey, add],
  );
}
