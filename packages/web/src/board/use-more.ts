import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Board, boardQuery, readMore } from '../api/board.ts';

/** Reads the next cards of a column when a person scrolls to the last one that was read. */
export function useMore(project: string): (status: string) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (status) => {
      const { queryKey } = boardQuery(project);
      const now = client.getQueryData<Board>(queryKey);
      if (now === undefined) return;
      const join = await readMore(now, status);
      client.setQueryData<Board>(queryKey, (latest) => latest && join(latest));
    },
    [client, project],
  );
}
