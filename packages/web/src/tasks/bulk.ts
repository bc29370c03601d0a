import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteTask, updateTask } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type Board, type Card, withMoved } from '../api/board.ts';
import { reasonOf } from '../api/client.ts';
import { readAfterShown, SHOWN_FIRST } from '../api/shown-first.ts';
import { taskListQuery } from '../api/task-list.ts';
import { plural } from '../text/words.ts';
import { useToasts } from '../ui/toast.tsx';
import type { Row } from './rows.ts';

export interface Edit {
  readonly status?: string;
  readonly priority?: Card['priority'];
}

/** What a row was before an edit. */
const wasOf = ({ card, column }: Row, { status, priority }: Edit): Edit => ({
  ...(status !== undefined && { status: column.status }),
  ...(priority !== undefined && { priority: card.priority }),
});

/** The tasks with an edit, as a person sees them before the server has answered. */
export function withEdit(board: Board, task_id: string, { status, priority }: Edit): Board {
  const moved = status === undefined ? board : withMoved(board, { task_id, to: status, at: 0 });
  if (priority === undefined) return moved;
  return {
    ...moved,
    columns: moved.columns.map((column) =>
      column.cards.some((card) => card.task_id === task_id)
        ? { ...column, cards: column.cards.map((card) => (card.task_id === task_id ? { ...card, priority } : card)) }
        : column,
    ),
  };
}

const isSame = ({ card, column }: Row, { status, priority }: Edit): boolean =>
  (status === undefined || status === column.status) && (priority === undefined || priority === card.priority);

interface RowEdit {
  readonly row: Row;
  readonly edit: Edit | 'delete';
}

interface Refusal extends RowEdit {
  readonly reason: string;
}

/** Sends one after another: the server answers each for itself, and one refusal stops no other. */
async function send(changes: readonly RowEdit[]): Promise<readonly Refusal[]> {
  const refused: Refusal[] = [];
  for (const { row, edit } of changes) {
    const { task_id } = row.card;
    try {
      if (edit === 'delete') await answerOf(deleteTask(task_id));
      else await answerOf(updateTask(task_id, edit));
    } catch (error) {
      refused.push({ row, edit, reason: reasonOf(error) });
    }
  }
  return refused;
}

/** How many were refused, and the first reason. */
function refusalOf(refused: readonly Refusal[], all: number): string {
  const [first] = refused;
  const which = all === 1 ? '' : `${refused.length} of ${plural(all, 'task')} refused. ${first?.row.card.key}: `;
  return `${which}${first?.reason}`;
}

/** Edits and deletes several tasks: at once in the table, and those that the server refuses back with the reason. */
export function useBulk(project: string) {
  const client = useQueryClient();
  const toasts = useToasts();
  const { queryKey } = taskListQuery(project);
  const show = (edits: readonly { readonly row: Row; readonly edit: Edit }[]) =>
    client.setQueryData<Board>(queryKey, (board) =>
      edits.reduce((now, { row, edit }) => now && withEdit(now, row.card.task_id, edit), board),
    );
  const sending = useMutation({
    mutationKey: SHOWN_FIRST,
    mutationFn: send,
    onSuccess: (refused, changes) => {
      if (refused.length === 0) return;
      show(refused.flatMap(({ row, edit }) => (edit === 'delete' ? [] : [{ row, edit: wasOf(row, edit) }])));
      toasts.show({ kind: 'refused', text: refusalOf(refused, changes.length) });
    },
    onSettled: () =>
      readAfterShown(client, () =>
        Promise.all([client.invalidateQueries({ queryKey }), client.invalidateQueries({ queryKey: ['board'] })]),
      ),
  });

  async function change(rows: readonly Row[], edit: Edit, said: (tasks: string) => string): Promise<void> {
    const changes = rows.filter((row) => !isSame(row, edit)).map((row) => ({ row, edit }));
    if (changes.length === 0) return;
    show(changes);
    const without = new Set((await sending.mutateAsync(changes)).map(({ row }) => row));
    const back = changes.filter(({ row }) => !without.has(row)).map(({ row }) => ({ row, edit: wasOf(row, edit) }));
    const [first] = back;
    if (first === undefined) return;
    toasts.show({
      text: said(back.length === 1 ? (first.row.card.key ?? 'the task') : plural(back.length, 'task')),
      onUndo: () => {
        show(back);
        sending.mutate(back);
      },
    });
  }

  function remove(rows: readonly Row[]): Promise<readonly Refusal[]> {
    return sending.mutateAsync(rows.map((row) => ({ row, edit: 'delete' as const })));
  }

  return { change, remove, isSending: sending.isPending };
}
