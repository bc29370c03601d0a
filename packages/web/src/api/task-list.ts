import { queryOptions } from '@tanstack/react-query';
import { showBoard } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type Board, type Column, withColumn } from './board.ts';
import { queries } from './queries.ts';

/** The most that the server gives with one call. */
const PAGE = 200;
/** More rows than this are not read: the table says so. */
export const MAX_ROWS = 2_000;

/** The rest of a column, page by page, until it has as many cards as it may. */
async function whole(project_id: string, first: Column, max: number): Promise<Column> {
  let column = first;
  while (column.next_cursor !== undefined && column.cards.length < max) {
    const { status, next_cursor: cursor, cards } = column;
    const [next] = (await answerOf(showBoard(project_id, { status, limit: PAGE, cursor }))).columns;
    if (next === undefined) break;
    const known = new Set(cards.map(({ task_id }) => task_id));
    column = { ...next, cards: [...cards, ...next.cards.filter(({ task_id }) => !known.has(task_id))] };
  }
  return column;
}

async function read(project: string): Promise<Board> {
  let board = await answerOf(showBoard(project, { limit: PAGE }));
  let room = MAX_ROWS;
  for (const column of board.columns) {
    const filled = await whole(board.project_id, column, room);
    room = Math.max(0, room - filled.cards.length);
    board = withColumn(board, filled);
  }
  return board;
}

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
