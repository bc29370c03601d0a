import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import type { TaskView } from './use-task.ts';

interface TaskBannerProps {
  readonly view: TaskView;
  /** The state that another has moved it to, while it was open. */
  readonly moved: string | null;
  readonly onForget: () => void;
}

/** Says that the task was deleted (or may no longer be read), or moved by another and whereto, while it is open. */
export function TaskBanner({ view, moved, onForget }: TaskBannerProps) {
  if (view.isGone) {
    return (
      <Banner icon="info" kind="fail">
        <b>This task was deleted</b>, or is no longer yours to read. What you see is how it was.
      </Banner>
    );
  }
  if (moved === null) return null;
  const name = view.board?.columns.find(({ status }) => status === moved)?.name ?? moved;
  return (
    <Banner
      icon="info"
      actions={
        <Button size="small" onClick={onForget}>
          OK
        </Button>
      }
    >
      <b>Moved to {name}</b> while you were reading.
    </Banner>
  );
}
