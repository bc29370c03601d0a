import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Board, boardQuery, readRest } from '../api/board.ts';

/** Reads the rest of a board while a filter is set, and shows it at once: a filter finds also what was not read yet. */
export function useReadOn(project: string, board: Board | undefined, isFiltering: boolean): void {
  const client = useQueryClient();
  // Where each column goes on: after the board was read again, the rest is read from there.
  const ends = isFiltering ? (board?.columns.flatMap(({ next_cursor }) => next_cursor ?? []).join() ?? '') : '';
  useEffect(() => {
    const { queryKey } = boardQuery(project);
    const now = client.getQueryData<Board>(queryKey);
    if (ends === '' || now === undefined) return undefined;
    const stopped = new AbortController();
    readRest(now, stopped.signal).then(
      (join) => client.setQueryData<Board>(queryKey, (latest) => latest && join(latest)),
      // What cannot be read now is read when the filter is set again.
      () => undefined,
    );
    return () => stopped.abort();
  }, [client, project, ends]);
}
