import { useQuery } from '@tanstack/react-query';
import { subtasksQuery } from '../api/task.ts';
import { workerOf } from '../board/card-looks.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { AvatarStack } from '../ui/avatar-stack.tsx';
import { AddLine } from './add-line.tsx';
import type { Edits } from './edits.ts';
import { TaskRow } from './links.tsx';
import type { TaskView } from './use-task.ts';
import './task-block.css';
import '../ui/block.css';

const MAX_TITLE = 255;

interface SubtasksProps {
  readonly view: TaskView;
  readonly edits: Edits | null;
}

/** The sub-tasks of a task, how many of them are over, and the line that adds one. */
export function Subtasks({ view, edits }: SubtasksProps) {
  const { project_id, task_id } = view.seen;
  const { data } = useQuery({ ...subtasksQuery(project_id, task_id), enabled: !view.isGone });
  const rows = (data?.columns ?? []).flatMap(({ status, group, cards }) =>
    cards.map((card) => ({ card, status, isDone: group === 'completed' || group === 'cancelled' })),
  );
  if (rows.length === 0 && edits === null) return null;
  const done = rows.filter(({ isDone }) => isDone).length;
  return (
    <section className="block">
      <h2>
        Sub-tasks{' '}
        {rows.length === 0 ? null : (
          <span className="num">
            {done} of {rows.length}
          </span>
        )}
      </h2>
      {rows.length === 0 ? null : (
        <ul className="rows">
          {rows.map(({ card, status }) => {
            const worker = workerOf(card);
            return (
              <TaskRow key={card.task_id} task={{ ...card, status }} view={view}>
                {worker === null ? (
                  <AvatarStack size={16} who={card.people.map(({ id, name }) => ({ kind: 'person', id, name }))} />
                ) : (
                  <AgentTile id={worker.id} name={worker.name} size={16} />
                )}
              </TaskRow>
            );
          })}
        </ul>
      )}
      {edits === null ? null : <AddLine label="Add a sub-task" max={MAX_TITLE} onAdd={edits.addSubtask} />}
    </section>
  );
}
