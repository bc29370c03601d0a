import { useEffect, useRef, useState } from 'react';
import { rememberTask } from '../shell/recent-tasks.ts';
import { isActive } from './attempt-looks.ts';
import type { Way } from './composer.tsx';
import { editsOf } from './edits.ts';
import { useTaskRights } from './task-rights.ts';
import { type TaskView, useTaskChange } from './use-task.ts';

/**
 * What a person does with the task that is open (start, move, write to its agent): panel and page share it. Its box begins
 * with words to the agent while an attempt is active, else with a comment.
 */
export function useOpenTask(name: string, view: TaskView | null) {
  const change = useTaskChange(name);
  const rights = useTaskRights(view?.seen.project_id);
  const [isMoving, setMoving] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [chosen, setChosen] = useState<{ readonly name: string; readonly way: Way } | null>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  const moves = useMoved(view);
  const { key = null, title = '' } = view?.seen.task ?? {};
  useEffect(() => {
    if (key !== null) rememberTask({ key, title });
  }, [key, title]);
  // The panel goes on to other tasks: a comment on the next one must not go to its agent.
  const chosenHere = chosen?.name === name ? chosen.way : null;
  const way = chosenHere ?? (view?.talk !== undefined && isActive(view.talk.state) ? 'send' : 'comment');
  const setWay = (to: Way): void => setChosen({ name, way: to });
  const all = view === null ? null : editsOf(view.seen, change);
  const edits = all && {
    ...all,
    status: (status: string, state: string) => {
      moves.expect(status);
      all.status(status, state);
    },
  };
  return {
    change,
    rights,
    /** Null for those who may only read, and for a task that is gone. */
    edits: rights.canWrite && view !== null && !view.isGone ? edits : null,
    isMoving,
    setMoving,
    isStarting,
    setStarting,
    /** Opens the choice of agents; undefined for those who may not start any. */
    start: rights.canRun && view !== null && !view.isGone ? () => setStarting(true) : undefined,
    way,
    setWay,
    composer,
    moved: moves.moved,
    forgetMove: moves.forget,
    /** Lets the person write to the agent. */
    followUp: () => {
      setWay('send');
      composer.current?.focus();
    },
  };
}

/** The state that another moved the open task to; null when nobody did. */
function useMoved(view: TaskView | null) {
  const status = view?.seen.task.status ?? null;
  const task_id = view?.seen.task_id ?? null;
  const known = useRef<{ readonly task_id: string | null; readonly status: string | null }>({ task_id, status });
  const [moved, setMoved] = useState<string | null>(null);
  useEffect(() => {
    const before = known.current;
    known.current = { task_id, status };
    if (before.task_id !== task_id || before.task_id === null) setMoved(null);
    else if (before.status !== status) setMoved(status);
  }, [task_id, status]);
  return {
    moved,
    forget: () => setMoved(null),
    /** This person moves it: that is no news to them. */
    expect: (next: string) => {
      known.current = { task_id, status: next };
      setMoved(null);
    },
  };
}
