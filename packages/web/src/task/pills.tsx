import { day } from '../text/time.ts';
import { PRIORITY_WORDS, taskLook } from '../text/words.ts';
import { Icon } from '../ui/icon.tsx';
import { LabelTag } from '../ui/meta.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { PriorityIcon } from '../ui/priority-icon.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { pageClock } from '../ui/use-clock.ts';
import type { Edits } from './edits.ts';
import { DatePicker, LabelPicker, PeoplePicker, PriorityPicker, StatePicker } from './pickers.tsx';
import type { TaskView } from './use-task.ts';
import './pills.css';

interface PillsProps {
  readonly view: TaskView;
  readonly edits: Edits | null;
  readonly isMoving: boolean;
  readonly onMoving: (open: boolean) => void;
}

/** The properties of a task in the panel (state, priority, labels, people, due date): each opens its own choice. */
export function Pills({ view, edits, isMoving, onMoving }: PillsProps) {
  const { seen, board, talk } = view;
  const { task, issue } = seen;
  const column = board?.columns.find(({ status }) => status === task.status);
  const [repo] = talk?.repos ?? [];
  return (
    <div className="pills">
      <StatePicker
        view={view}
        edits={edits}
        open={isMoving}
        onOpenChange={onMoving}
        trigger={
          <button className="pill" type="button" disabled={edits === null}>
            <StatusIcon
              of="task"
              status={taskLook({ group: column?.group ?? 'unstarted', state: column?.name, ready: task.is_ready })}
            />
            {column?.name ?? task.status}
          </button>
        }
      />
      <PriorityPicker
        view={view}
        edits={edits}
        trigger={
          <button className="pill" type="button" disabled={edits === null}>
            <PriorityIcon priority={task.priority} />
            {PRIORITY_WORDS[task.priority]}
          </button>
        }
      />
      <LabelPicker
        view={view}
        edits={edits}
        trigger={
          <button className="pill" type="button" disabled={edits === null}>
            {issue.labels.length === 0 ? (
              <>
                <Icon name="label" />
                Label
              </>
            ) : (
              issue.labels.map(({ id, name }) => <LabelTag key={id} id={id} name={name} />)
            )}
          </button>
        }
      />
      <PeoplePicker
        view={view}
        edits={edits}
        trigger={
          <button className="pill" type="button" disabled={edits === null}>
            {issue.assignees.length === 0 ? (
              <>
                <Icon name="people" />
                Assign
              </>
            ) : (
              issue.assignees.map(({ id, name }) => (
                <span className="pill-who" key={id}>
                  <PersonDot name={name} size={16} silent />
                  {name.split(' ')[0]}
                </span>
              ))
            )}
          </button>
        }
      />
      <DatePicker
        view={view}
        edits={edits}
        trigger={
          <button className="pill" type="button" disabled={edits === null}>
            <Icon name="calendar" />
            {issue.target_date === undefined ? 'Due' : day(`${issue.target_date}T00:00`, pageClock.now())}
          </button>
        }
      />
      {repo === undefined ? null : (
        <span className="pill still">
          <Icon name="repo" />
          {repo.repo_name}
          <span className="faint">→ {repo.target_branch}</span>
        </span>
      )}
    </div>
  );
}
