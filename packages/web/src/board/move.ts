import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateTask } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type Board, boardQuery, type Card, placeBetween, withMoved } from '../api/board.ts';
import { reasonOf } from '../api/client.ts';
import { readAfterShown, SHOWN_FIRST } from '../api/shown-first.ts';
import { useToasts } from '../ui/toast.tsx';

export interface Move {
  readonly card: Card;
  /** The column that it goes to. */
  readonly to: string;
  /** Its place among the cards there; at the end unless given. */
  readonly at?: number | undefined;
}

interface Sent extends Move {
  /** The board before it. */
  readonly board: Board;
  /** The toast that says that the card was moved. */
  readonly said: number | undefined;
}

const columnOf = (board: Board, { task_id }: Card) =>
  board.columns.find(({ cards }) => cards.some((card) => card.task_id === task_id));

/** The new `sort_order`, between the cards before and after it. Null in columns that the server orders by itself. */
function sortOrderOf(board: Board, { card, to, at }: Move): number | null {
  const column = board.columns.find(({ status }) => status === to);
  if (column === undefined || at === undefined || column.group === 'completed' || column.group === 'cancelled')
    return null;
  const others = column.cards.filter(({ task_id }) => task_id !== card.task_id);
  return placeBetween(others[at - 1], others[at], Date.now());
}

async function send(board: Board, move: Move): Promise<void> {
  const isNew = columnOf(board, move.card)?.status !== move.to;
  const sort_order = sortOrderOf(board, move);
  if (!isNew && sort_order === null) return;
  // One call for both: each call is a line of the task's story and of the activity.
  await answerOf(
    updateTask(move.card.task_id, { ...(isNew && { status: move.to }), ...(sort_order !== null && { sort_order }) }),
  );
}

/**
 * Moves cards: at once on the board, back with the reason if the server refuses, and back again by Undo. `onShow` shows a
 * card that went back.
 */
export function useMove(project: string, onShow: (card: Card) => void): (move: Move) => void {
  const client = useQueryClient();
  const toasts = useToasts();
  const { queryKey } = boardQuery(project);
  const move = useMutation({
    mutationKey: SHOWN_FIRST,
    mutationFn: ({ board, ...wanted }: Sent) => send(board, wanted),
    onError: (error, { board, card, said }) => {
      client.setQueryData(queryKey, board);
      // It says what did not happen, and its Undo would move the card once more.
      if (said !== undefined) toasts.close(said);
      const back = `${card.key ?? 'The task'} went back to ${columnOf(board, card)?.name ?? 'its place'}.`;
      toasts.show({
        kind: 'refused',
        lead: back,
        text: reasonOf(error),
        action: { label: 'Show', onClick: () => onShow(card) },
      });
    },
    onSettled: () => readAfterShown(client, () => client.invalidateQueries({ queryKey })),
  });

  function start(wanted: Move, isUndo = false): void {
    const board = client.getQueryData<Board>(queryKey);
    const from = board && columnOf(board, wanted.card);
    const to = board?.columns.find(({ status }) => status === wanted.to);
    if (board === undefined || from === undefined || to === undefined) return;
    const at = from.cards.findIndex(({ task_id }) => task_id === wanted.card.task_id);
    if (from === to && (wanted.at === undefined || wanted.at === at)) return;
    // Running reads would bring the old place back.
    void client.cancelQueries({ queryKey });
    const moved = withMoved(board, { task_id: wanted.card.task_id, to: wanted.to, at: wanted.at ?? to.cards.length });
    client.setQueryData(queryKey, moved);
    const text = `Moved ${wanted.card.key ?? 'the task'} ${isUndo ? 'back to' : 'to'} ${to.name}`;
    // With an Undo of its own, pressing the undo key twice would bring back what was taken back.
    const undo = isUndo ? {} : { onUndo: () => start({ card: wanted.card, to: from.status, at }, true) };
    const said = from === to ? undefined : toasts.show({ text, ...undo });
    move.mutate({ ...wanted, board, said });
  }

  return (wanted) => start(wanted);
}
