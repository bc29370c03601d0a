import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { taskLook } from '../text/words.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import type { Edits } from './edits.ts';
import { TaskFinder } from './task-finder.tsx';
import type { TaskView } from './use-task.ts';
import './task-block.css';
import '../ui/block.css';

interface Neighbour {
  readonly task_id: string;
  readonly key: string | null;
  readonly title: string;
  readonly status: string;
  /** Known of a card only. */
  readonly is_ready?: boolean;
}

export const nameOf = ({ key, task_id }: Pick<Neighbour, 'key' | 'task_id'>): string => key ?? task_id;

interface TaskRowProps {
  readonly task: Neighbour;
  readonly view: TaskView;
  /** At the right of the row. */
  readonly children?: ReactNode;
}

/** Another task in one row. */
export function TaskRow({ task, view, children }: TaskRowProps) {
  const column = view.board?.columns.find(({ status }) => status === task.status);
  return (
    <li>
      <StatusIcon
        of="task"
        status={taskLook({ group: column?.group ?? 'unstarted', state: column?.name, ready: task.is_ready })}
        named
      />
      <KeyLabel value={task.key ?? task.task_id.slice(0, 8)} />
      <Link className="t" to="/t/$key" params={{ key: nameOf(task) }}>
        {task.title}
      </Link>
      {children}
    </li>
  );
}

interface LinksProps {
  readonly view: TaskView;
  readonly edits: Edits | null;
}

/** The tasks that must be completed first (blocked by: added and removed here), and those that wait for this one. */
export function Links({ view, edits }: LinksProps) {
  const { blocked_by, blocks } = view.seen.task;
  return (
    <>
      {blocked_by.length === 0 && edits === null ? null : (
        <section className="block">
          <h2>Blocked by {blocked_by.length === 0 ? null : <span className="num">{blocked_by.length}</span>}</h2>
          {blocked_by.length === 0 ? null : (
            <ul className="rows">
              {blocked_by.map((task) => (
                <TaskRow key={task.task_id} task={task} view={view}>
                  {edits === null ? null : (
                    <IconButton
                      icon="x"
                      size="tiny"
                      label={`No longer blocked by ${nameOf(task)}`}
                      onClick={() => edits.blockedBy(blocked_by.filter((each) => each !== task).map(nameOf))}
                    />
                  )}
                </TaskRow>
              ))}
            </ul>
          )}
          {edits === null ? null : (
            <TaskFinder
              label="Add a task to complete first"
              projectId={view.seen.project_id}
              without={[view.seen.task_id, ...blocked_by.map(({ task_id }) => task_id)]}
              onFound={(task_id) => edits.blockedBy([...blocked_by.map(nameOf), task_id])}
            />
          )}
        </section>
      )}
      {blocks.length === 0 ? null : (
        <section className="block">
          <h2>
            Blocks <span className="num">{blocks.length}</span>
          </h2>
          <ul className="rows">
            {blocks.map((task) => (
              <TaskRow key={task.task_id} task={task} view={view} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
