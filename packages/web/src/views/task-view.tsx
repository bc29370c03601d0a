import { useRef, useState } from 'react';
import { isActive } from '../task/attempt-looks.ts';
import { Composer, type Way } from '../task/composer.tsx';
import { editsOf } from '../task/edits.ts';
import { Pills } from '../task/pills.tsx';
import { TaskBanner } from '../task/task-banner.tsx';
import { TaskContent } from '../task/task-content.tsx';
import { TaskFailure, TaskSkeleton } from '../task/task-failure.tsx';
import { TaskTitle } from '../task/task-title.tsx';
import { useTask, useTaskChange } from '../task/use-task.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import '../task/task-page.css';

interface TaskViewProps {
  readonly name: string;
  /** Shows what the person came from; null when they came from nothing. */
  readonly onBack: (() => void) | null;
}

/** A task in a chat. What a person may do there is decided by the server, call by call. */
export function TaskView({ name, onBack }: TaskViewProps) {
  const { view, error, isFetching, refetch } = useTask(name);
  const change = useTaskChange(name);
  const [isMoving, setMoving] = useState(false);
  const [chosen, setWay] = useState<Way | null>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  if (view === null) {
    return error === null ? <TaskSkeleton /> : <TaskFailure error={error} retrying={isFetching} onRetry={refetch} />;
  }
  const edits = view.isGone ? null : editsOf(view.seen, change);
  const way = chosen ?? (view.talk !== undefined && isActive(view.talk.state) ? 'send' : 'comment');
  const write = () => {
    setWay('send');
    composer.current?.focus();
  };
  return (
    <>
      <header className="view-head">
        {onBack === null ? null : (
          <Button kind="plain" size="small" icon="left" onClick={onBack}>
            Back
          </Button>
        )}
        <KeyLabel value={view.seen.task.key ?? view.seen.task_id.slice(0, 8)} />
        <span className="grow" />
        <IconButton icon="retry" label="Refresh" onClick={() => void refetch()} />
      </header>
      <div className="view-task">
        <TaskBanner view={view} moved={null} onForget={() => undefined} />
        <TaskTitle key={view.seen.task_id} title={view.seen.task.title} edits={edits} />
        <Pills view={view} edits={edits} isMoving={isMoving} onMoving={setMoving} />
        <TaskContent view={view} edits={edits} canRun onFollowUp={write} />
      </div>
      {edits === null ? null : (
        <Composer key={view.seen.task_id} view={view} edits={edits} way={way} onWay={setWay} inputRef={composer} />
      )}
    </>
  );
}
