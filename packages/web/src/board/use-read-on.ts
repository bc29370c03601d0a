import { useEffect } from 'react';
import type { Board } from '../api/board.ts';

/** Reads the rest of a board, page by page, while a filter is set: a filter finds also what was not read yet. */
export function useReadOn(
  board: Board | undefined,
  isFiltering: boolean,
  more: (status: string) => Promise<void>,
): void {
  const next = isFiltering ? board?.columns.find(({ next_cursor }) => next_cursor !== undefined) : undefined;
  const status = next?.status;
  const cursor = next?.next_cursor;
  useEffect(() => {
    // What cannot be read now is read at the next change of the board.
    if (status !== undefined && cursor !== undefined) more(status).catch(() => undefined);
  }, [status, cursor, more]);
}
