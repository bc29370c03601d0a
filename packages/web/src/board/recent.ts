import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { Board } from '../api/board.ts';
import type { Change } from '../api/change.ts';
import { onChange } from '../api/live-store.ts';
import { contextQuery } from '../api/task.ts';
import { workerOf } from './card-looks.ts';

/** How long a change by somebody else glows. */
const GLOW_MS = 1_000;

interface Person {
  readonly id: string;
  readonly name: string;
}

/** The card that a change is about, and what to say of it. Null for changes of things that the board does not show. */
export function glowOf(
  board: Board,
  change: Change,
  me: string | null,
  people: readonly Person[] = [],
): readonly [task: string, by: string] | null {
  const { actor, task_id } = change;
  // What the person did himself needs no word, and steps come too often for one.
  if (task_id === null || actor === null || change.kind.startsWith('step.')) return null;
  if (actor.agent_id === null && actor.user_id === me) return null;
  const cards = board.columns.flatMap((column) => column.cards);
  const card = cards.find((each) => each.task_id === task_id);
  if (card === undefined) return null;
  const worker = workerOf(card);
  const person = people.find(({ id }) => id === actor.user_id);
  const name = actor.agent_id === null ? (person?.name ?? 'somebody') : (worker?.name ?? 'an agent');
  return [card.task_id, `${name} changed this`];
}

const glowing = new Map<string, string>();
const watchers = new Map<string, Set<() => void>>();

function set(task: string, by: string | null): void {
  if (by === null) glowing.delete(task);
  else glowing.set(task, by);
  for (const watcher of watchers.get(task) ?? []) watcher();
}

/** Lets the cards glow that somebody else changes. */
export function useRecentChanges(board: Board | undefined, me: string | null): void {
  const client = useQueryClient();
  const latest = useRef(board);
  useEffect(() => {
    latest.current = board;
  }, [board]);
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const stop = onChange(async (change) => {
      const shown = latest.current;
      if (shown === undefined || glowOf(shown, change, me) === null) return;
      // Events name people by their ids. The members are read once, when somebody else changes something.
      const members =
        change.actor?.agent_id === null
          ? await client.ensureQueryData(contextQuery(shown.project_id)).then(
              (context) => context.members,
              () => [],
            )
          : [];
      const glow = glowOf(shown, change, me, members);
      if (glow === null) return;
      const [task, by] = glow;
      clearTimeout(timers.get(task));
      set(task, by);
      timers.set(
        task,
        setTimeout(() => set(task, null), GLOW_MS),
      );
    });
    return () => {
      stop();
      for (const [task, timer] of timers) {
        clearTimeout(timer);
        set(task, null);
      }
    };
  }, [me, client]);
}

/** Who just changed a task, as “kite changed this”. Each card watches itself: a change draws one card, not the board. */
export function useRecent(task: string): string | undefined {
  const watch = useCallback(
    (watcher: () => void) => {
      const own = watchers.get(task) ?? new Set();
      watchers.set(task, own.add(watcher));
      return () => {
        own.delete(watcher);
        if (own.size === 0) watchers.delete(task);
      };
    },
    [task],
  );
  return useSyncExternalStore(watch, () => glowing.get(task));
}
