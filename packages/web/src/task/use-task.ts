import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CompareAttemptsAnswer } from 'errand/client';
import { CallError } from 'errand/client/answer';
import { useEffect, useRef } from 'react';
import type { Card } from '../api/board.ts';
import { reasonOf } from '../api/client.ts';
import { readAfterShown, SHOWN_FIRST } from '../api/shown-first.ts';
import {
  type Attempt,
  type AttemptRow,
  attemptsQuery,
  cardQuery,
  type SeenCard,
  type SeenTask,
  talkQuery,
  taskQuery,
} from '../api/task.ts';
import { useToasts } from '../ui/toast.tsx';

/** A change that a person makes to a task. */
export interface TaskChange {
  readonly run: () => Promise<unknown>;
  /** The task as it will be, shown before the server has answered. */
  readonly shown?: (seen: SeenTask) => SeenTask;
  /** What the message says when it is done; without it, nothing needs to be said. */
  readonly said?: string;
  readonly undo?: () => Promise<unknown>;
}

export type Change = (change: TaskChange) => void;

/** Makes changes to a task: shown at once, and taken back with the reason when they are refused. */
export function useTaskChange(name: string): Change {
  const client = useQueryClient();
  const toasts = useToasts();
  const { queryKey } = taskQuery(name);
  const readAgain = () =>
    client.invalidateQueries({ predicate: ({ queryKey: [noun] }) => noun === 'task' || noun === 'board' });
  const { mutate } = useMutation({
    mutationKey: SHOWN_FIRST,
    // One after another: a criterion is written before it is ticked.
    scope: { id: `task/${name}` },
    mutationFn: ({ run }: TaskChange) => run(),
    onMutate: async ({ shown }) => {
      if (shown === undefined) return undefined;
      await client.cancelQueries({ queryKey, exact: true });
      const before = client.getQueryData(queryKey);
      if (before !== undefined) client.setQueryData(queryKey, shown(before));
      return before;
    },
    onError: (error, _change, before) => {
      if (before !== undefined) client.setQueryData(queryKey, before);
      toasts.show({ kind: 'refused', text: reasonOf(error) });
    },
    onSuccess: (_answer, { said, undo }) => {
      if (said === undefined) return;
      toasts.show({ text: said, ...(undo !== undefined && { onUndo: () => mutate({ run: undo }) }) });
    },
    onSettled: () => readAfterShown(client, readAgain),
  });
  return mutate;
}

const isGone = (error: unknown): boolean => error instanceof CallError && error.status === 404;

/** Everything that the page of a task shows. */
export interface TaskView {
  readonly seen: SeenTask;
  /** It was deleted while it was open. */
  readonly isGone: boolean;
  /** Undefined and empty until they have come. */
  readonly board: SeenCard | undefined;
  readonly card: Card | null;
  readonly attempts: readonly AttemptRow[];
  readonly compared: CompareAttemptsAnswer['attempts'];
  readonly talk: Attempt | undefined;
}

/** Reads a task with its card, its attempts and the talk with its agent. */
export function useTask(name: string) {
  const read = useQuery(taskQuery(name));
  // What a person has read stays readable when the task is deleted: the last answer is kept.
  const kept = useRef<{ readonly name: string; readonly seen: SeenTask } | null>(null);
  useEffect(() => {
    if (read.data !== undefined) kept.current = { name, seen: read.data };
  }, [name, read.data]);
  const seen = read.data ?? (kept.current?.name === name ? kept.current.seen : undefined);
  const isHere = seen !== undefined;
  const card = useQuery({ ...cardQuery(seen?.project_id ?? '', seen?.task_id ?? ''), enabled: isHere });
  const attempts = useQuery({ ...attemptsQuery(seen?.task_id ?? ''), enabled: isHere });
  const attempt_id = seen?.task.latest_attempt_id ?? null;
  const talk = useQuery({ ...talkQuery(attempt_id ?? ''), enabled: attempt_id !== null });
  const view: TaskView | null =
    seen === undefined
      ? null
      : {
          seen,
          isGone: isGone(read.error),
          board: card.data,
          card: card.data?.card ?? null,
          attempts: attempts.data?.attempts ?? [],
          compared: attempts.data?.compared ?? [],
          talk: attempt_id === null ? undefined : talk.data,
        };
  return { view, error: read.error, isFetching: read.isFetching, refetch: read.refetch };
}
