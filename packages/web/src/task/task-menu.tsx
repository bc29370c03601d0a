import { deleteTask } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type ReactElement, useState } from 'react';
import { Confirm } from '../ui/confirm.tsx';
import { Icon } from '../ui/icon.tsx';
import type { MenuItem } from '../ui/menu.tsx';
import { Menu } from '../ui/menu.tsx';
import { useToasts } from '../ui/toast.tsx';
import { useCopy } from '../ui/use-copy.ts';
import type { Edits } from './edits.ts';
import { promptOf } from './prompt.ts';
import type { Change, TaskView } from './use-task.ts';

interface TaskMenuProps {
  readonly view: TaskView;
  readonly edits: Edits | null;
  readonly change: Change;
  readonly trigger: ReactElement;
  /** Undefined for those who may not start agents. */
  readonly onStart: (() => void) | undefined;
  /** Called when the task was deleted by this person. */
  readonly onDeleted: () => void;
  readonly canDelete: boolean;
}

export const linkOf = (key: string): string => `${location.origin}/t/${key}`;

/**
 * The menu “More” of a task: start, copy the prompt or the link, cancel, delete after a question. What is refused names
 * the missing scope.
 */
export function TaskMenu(props: TaskMenuProps) {
  const { view, edits, change, trigger, onStart, onDeleted, canDelete } = props;
  const toasts = useToasts();
  const [, copy] = useCopy();
  const [isAsking, setAsking] = useState(false);
  const { task, task_id } = view.seen;
  const name = task.key ?? task_id;
  const cancelled = view.board?.columns.find(({ group }) => group === 'cancelled');
  const copied = (text: string, what: string) => () => {
    copy(text);
    toasts.show({ text: `Copied ${what}` });
  };
  const items: MenuItem[] = [
    {
      id: 'start',
      label: 'Start an attempt',
      icon: <Icon name="play" />,
      ...(onStart === undefined && { refused: 'Needs the scope board:run' }),
      onSelect: () => onStart?.(),
    },
    {
      id: 'prompt',
      label: 'Copy prompt',
      icon: <Icon name="copy" />,
      onSelect: copied(promptOf(view.seen), 'the prompt'),
    },
    { id: 'link', label: 'Copy link', icon: <Icon name="link" />, onSelect: copied(linkOf(name), 'the link') },
    ...(edits === null || cancelled === undefined || cancelled.status === task.status
      ? []
      : [
          {
            id: 'cancel',
            label: 'Cancel the task',
            icon: <Icon name="block" />,
            apart: true,
            onSelect: () => edits.status(cancelled.status, cancelled.name),
          },
        ]),
    {
      id: 'delete',
      label: 'Delete…',
      icon: <Icon name="x" />,
      danger: true,
      ...(canDelete ? {} : { refused: 'Needs the scope board:delete' }),
      onSelect: () => setAsking(true),
    },
  ];
  return (
    <>
      <Menu label="More" items={items} trigger={trigger} align="end" />
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete ${name}?`}
        verb="Delete"
        danger
        onConfirm={() => {
          setAsking(false);
          onDeleted();
          change({ run: () => answerOf(deleteTask(task_id)), said: `Deleted ${name}` });
        }}
      >
        <p>Its comments, attempts and runs are deleted with it. This cannot be undone.</p>
      </Confirm>
    </>
  );
}
