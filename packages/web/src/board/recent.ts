import { useEffect, useState } from 'react';
import type { Board, Card } from '../api/board.ts';
import type { Change } from '../api/change.ts';
import { onChange } from '../api/live-store.ts';
import { workerOf } from './card-looks.ts';

/** How long a change by somebody else glows. */
const GLOW_MS = 1_000;

/** The card that a change is about, and what to say of it. Null for changes of things that the board does not show. */
export function glowOf(board: Board, change: Change, me: string | null): readonly [task: string, by: string] | null {
  const cards = board.columns.flatMap((column) => column.cards);
  const is = (card: Card): boolean =>
    card.task_id === change.entity_id ||
    card.attempt?.attempt_id === change.entity_id ||
    (change.execution_id !== null && card.run?.execution_id === change.execution_id);
  const card = cards.find(is);
  const actor = change.actor;
  // What the person did himself needs no word, and steps come too often for one.
  if (card === undefined || actor === null || change.kind.startsWith('step.')) return null;
  if (actor.agent_id === null && actor.user_id === me) return null;
  const worker = workerOf(card);
  const name = actor.agent_id === null ? 'somebody' : (worker?.name ?? 'an agent');
  return [card.task_id, `${name} changed this`];
}

/** The cards that somebody else just changed, with who. */
export function useRecent(board: Board | undefined, me: string | null): ReadonlyMap<string, string> {
  const [recent, setRecent] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (board === undefined) return;
    return onChange((change) => {
      const glow = glowOf(board, change, me);
      if (glow === null) return;
      const [task, by] = glow;
      setRecent((now) => new Map(now).set(task, by));
      setTimeout(() => {
        setRecent((now) => {
          const next = new Map(now);
          next.delete(task);
          return next;
        });
      }, GLOW_MS);
    });
  }, [board, me]);
  return recent;
}
