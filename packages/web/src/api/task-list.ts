import { queryOptions } from '@tanstack/react-query';
import { type Board, readBoard } from './board.ts';
import { queries } from './queries.ts';

/** The most that the server gives with one call. */
const PAGE = 200;
/** More rows than this are not read: the table says so. */
export const MAX_ROWS = 20_000;

const read = (project: string): Promise<Board> =>
  readBoard(project, PAGE, ({ status }, { columns }) => {
    const others = columns.filter((column) => column.status !== status);
    // Columns that come later have their first page only.
    const before = others.slice(
      0,
      columns.findIndex((column) => column.status === status),
    );
    return MAX_ROWS - before.reduce((sum, { cards }) => sum + cards.length, 0);
  });

interface Reading {
  readonly board: Promise<Board>;
  /** Whether something changed since it began. */
  isLate: boolean;
}

const running = new Map<string, Reading>();

/**
 * Reads all tasks of a project. A read that takes several calls would never end if each change began it anew: a change
 * meanwhile joins it, and it is repeated once after it has ended.
 */
function readOnce(project: string): Promise<Board> {
  const joined = running.get(project);
  if (joined !== undefined) {
    joined.isLate = true;
    return joined.board;
  }
  const board = read(project).finally(() => {
    const isLate = running.get(project)?.isLate ?? false;
    running.delete(project);
    // After the answer has been taken, which is later than this.
    if (isLate) setTimeout(() => void queries.invalidateQueries({ queryKey: ['tasks', project] }));
  });
  running.set(project, { board, isLate: false });
  return board;
}

/** All tasks of a project, by its key or id, in their columns. */
export const taskListQuery = (project: string) =>
  queryOptions({ queryKey: ['tasks', project], queryFn: () => readOnce(project) });
