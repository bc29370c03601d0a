import { queryOptions } from '@tanstack/react-query';
import { type ShowBoardAnswer, showBoard } from 'errand/client';
import { answerOf } from 'errand/client/answer';

/** A position in the order of a column. */
export interface CardPosition {
  readonly at: number;
  readonly id: string;
}

export type Column = ShowBoardAnswer['columns'][number] & {
  /** Up to here the column was read; undefined when it was read to its end. */
  readonly end?: CardPosition | undefined;
};
export type Card = Column['cards'][number];
export interface Board extends Omit<ShowBoardAnswer, 'columns'> {
  readonly columns: readonly Column[];
}

/** Cards of a column that are read at first, and with each further page. */
export const PAGE = 100;
/** The most that the server gives with one call. */
const MAX_PAGE = 200;

/** Ended tasks stand newest first, the others in the order in which people left them. */
export const positionIn = ({ group }: Pick<Column, 'group'>, card: Card): CardPosition =>
  group === 'completed' || group === 'cancelled'
    ? { at: -Date.parse(card.completed_at ?? card.updated_at), id: card.task_id }
    : { at: card.sort_order, id: card.task_id };

/** Whether a place is after another one. Of ended tasks that stand at the same time, the later made is first. */
export function isAfter({ group }: Pick<Column, 'group'>, one: CardPosition, other: CardPosition): boolean {
  if (one.at !== other.at) return one.at > other.at;
  return group === 'completed' || group === 'cancelled' ? one.id < other.id : one.id > other.id;
}

/** Notes up to where a column was read. Cards that need a person come from anywhere and say nothing of it. */
function withEnd(column: Column): Column {
  if (column.next_cursor === undefined) return { ...column, end: undefined };
  const places = column.cards.filter(({ question }) => question === null).map((card) => positionIn(column, card));
  const end = places.reduce<CardPosition | undefined>(
    (last, place) => (last === undefined || isAfter(column, place, last) ? place : last),
    undefined,
  );
  return { ...column, end };
}

/** A column with the page that follows it. */
function joined(column: Column, next: Column): Column {
  const known = new Set(column.cards.map(({ task_id }) => task_id));
  return withEnd({ ...next, cards: [...column.cards, ...next.cards.filter(({ task_id }) => !known.has(task_id))] });
}

async function nextPage(
  project_id: string,
  { status, next_cursor: cursor }: Column,
  limit: number,
): Promise<Column | null> {
  if (cursor === undefined) return null;
  return (await answerOf(showBoard(project_id, { status, limit, cursor }))).columns[0] ?? null;
}

/** The column, read until it has `count` cards or its end is reached. */
async function readTo(project_id: string, first: Column, count: number, signal?: AbortSignal): Promise<Column> {
  let column = first;
  while (column.cards.length < count) {
    signal?.throwIfAborted();
    const next = await nextPage(project_id, column, MAX_PAGE);
    if (next === null) break;
    column = joined(column, next);
  }
  return column;
}

/** Reads a board: of each column at most as many cards as `depth` says. */
export async function readBoard(
  project: string,
  limit: number,
  depth: (column: Column, board: Board) => number,
  signal?: AbortSignal,
): Promise<Board> {
  const first = await answerOf(showBoard(project, { limit }, signal === undefined ? {} : { signal }));
  let board: Board = { ...first, columns: first.columns.map(withEnd) };
  for (const column of board.columns) {
    const wanted = depth(column, board);
    if (wanted > column.cards.length) board = withColumn(board, await readTo(board.project_id, column, wanted));
  }
  return board;
}

const depthOf = (board: Board | undefined, status: string): number =>
  board?.columns.find((column) => column.status === status)?.cards.length ?? 0;

/**
 * The board of a project, by its key or id, with at most `limit` cards of each column. Read again, it has the cards that a
 * person has loaded.
 */
export const boardQuery = (project: string, limit = PAGE) =>
  queryOptions({
    queryKey: ['board', project],
    queryFn: ({ signal, client, queryKey }) => {
      const before = client.getQueryData<Board>(queryKey);
      return readBoard(project, limit, ({ status }) => depthOf(before, status), signal);
    },
  });

/** Reads all cards that a board lacks. Resolves with how they are put behind those that are there by then. */
export async function readRest(board: Board, signal: AbortSignal): Promise<(now: Board) => Board> {
  const read: [from: Column, whole: Column][] = [];
  for (const column of board.columns) {
    if (column.next_cursor === undefined) continue;
    read.push([column, await readTo(board.project_id, column, Number.POSITIVE_INFINITY, signal)]);
  }
  return (latest) =>
    read.reduce((now, [from, whole]) => {
      const current = now.columns.find(({ status }) => status === from.status);
      // The column was read again or further meanwhile.
      if (current === undefined || current.next_cursor !== from.next_cursor) return now;
      return withColumn(now, joined(current, whole));
    }, latest);
}

/** Reads the next cards of a column. Resolves with how they are put behind those that are there by then. */
export async function readMore(board: Board, status: string): Promise<(now: Board) => Board> {
  const column = board.columns.find((each) => each.status === status);
  const next = column === undefined ? null : await nextPage(board.project_id, column, PAGE);
  return (now) => {
    const current = now.columns.find((each) => each.status === status);
    // The board was read again meanwhile, or the same page came twice.
    if (next === null || current === undefined || current.next_cursor !== column?.next_cursor) return now;
    return withColumn(now, joined(current, next));
  };
}

export const withColumn = (board: Board, changed: Column): Board => ({
  ...board,
  columns: board.columns.map((column) => (column.status === changed.status ? changed : column)),
});

interface MovedCard {
  readonly task_id: string;
  readonly to: string;
  readonly at: number;
}

/** The board with a card in another column: what a person sees before the server has answered. */
export function withMoved(board: Board, { task_id, to, at }: MovedCard): Board {
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
