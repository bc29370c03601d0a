import { queryOptions } from '@tanstack/react-query';
import { type ShowBoardAnswer, showBoard } from 'errand/client';
import { answerOf } from 'errand/client/answer';

export type Board = ShowBoardAnswer;
export type Column = Board['columns'][number];
export type Card = Column['cards'][number];

/** Cards of a column that are read at first, and with each further page. */
export const PAGE = 100;

/** The board of a project, by its key or id, with so many cards of each column. */
export const boardQuery = (project: string, limit = PAGE) =>
  queryOptions({
    queryKey: ['board', project],
    queryFn: ({ signal }) => answerOf(showBoard(project, { limit }, { signal })),
  });

/** The next cards of a column, put behind those that are there. */
export async function withNextPage(board: Board, status: string): Promise<Board> {
  const column = board.columns.find((each) => each.status === status);
  if (column?.next_cursor === undefined) return board;
  const { columns } = await answerOf(showBoard(board.project_id, { status, limit: PAGE, cursor: column.next_cursor }));
  const [next] = columns;
  if (next === undefined) return board;
  const known = new Set(column.cards.map(({ task_id }) => task_id));
  const cards = [...column.cards, ...next.cards.filter(({ task_id }) => !known.has(task_id))];
  return withColumn(board, { ...next, cards });
}

export const withColumn = (board: Board, changed: Column): Board => ({
  ...board,
  columns: board.columns.map((column) => (column.status === changed.status ? changed : column)),
});

/** The board with a card in another column: what a person sees before the server has answered. */
export function withMoved(board: Board, task_id: string, to: string, at: number): Board {
  const card = board.columns.flatMap(({ cards }) => cards).find((each) => each.task_id === task_id);
  if (card === undefined) return board;
  return {
    ...board,
    columns: board.columns.map((column) => {
      const others = column.cards.filter((each) => each.task_id !== task_id);
      const had = others.length < column.cards.length;
      if (column.status !== to) return had ? { ...column, count: column.count - 1, cards: others } : column;
      return { ...column, count: column.count + (had ? 0 : 1), cards: others.toSpliced(at, 0, card) };
    }),
  };
}

/** A place between two cards, for the order that people give them. */
export function placeBetween(before: Card | undefined, after: Card | undefined, now: number): number {
  if (before === undefined) return after === undefined ? now : after.sort_order - 1;
  return after === undefined ? before.sort_order + 1 : (before.sort_order + after.sort_order) / 2;
}
