import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { contextQuery } from '../api/task.ts';
import { hueOf } from '../text/hue.ts';
import { namesIn, PRIORITY_WORDS, taskLook } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Menu } from '../ui/menu.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { Popover } from '../ui/popover.tsx';
import { PriorityIcon } from '../ui/priority-icon.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import type { Edits } from './edits.ts';
import type { TaskView } from './use-task.ts';

export interface PickerProps {
  readonly view: TaskView;
  /** Null for those who may only read: the trigger does nothing then. */
  readonly edits: Edits | null;
  readonly trigger: ReactElement;
}

interface StatePickerProps extends PickerProps {
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
}

/** Moves a task to another state of its project. */
export function StatePicker({ view, edits, trigger, open, onOpenChange }: StatePickerProps) {
  const { board, seen } = view;
  return (
    <Menu
      label="Move to"
      filter="Move to…"
      keys="m"
      trigger={trigger}
      open={open}
      onOpenChange={onOpenChange}
      items={(board?.columns ?? []).map(({ status, name, group }) => ({
        id: status,
        label: name,
        icon: <StatusIcon of="task" status={taskLook({ group, state: name })} />,
        current: status === seen.task.status,
        onSelect: () => (status === seen.task.status ? undefined : edits?.status(status, name)),
      }))}
    />
  );
}

/** Sets the priority of a task. */
export function PriorityPicker({ view, edits, trigger }: PickerProps) {
  return (
    <Menu
      label="Priority"
      numbered
      trigger={trigger}
      items={namesIn(PRIORITY_WORDS).map((each) => ({
        id: each,
        label: PRIORITY_WORDS[each],
        icon: <PriorityIcon priority={each} />,
        current: each === view.seen.task.priority,
        onSelect: () => edits?.priority(each),
      }))}
    />
  );
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const toggled = (list: readonly Named[], each: Named): readonly Named[] =>
  list.some(({ id }) => id === each.id) ? list.filter(({ id }) => id !== each.id) : [...list, each];

/** Sets the labels of a task, out of those of its project. */
export function LabelPicker({ view, edits, trigger }: PickerProps) {
  const { data } = useQuery(contextQuery(view.seen.project_id));
  const { labels } = view.seen.issue;
  const all = data?.labels ?? [];
  return (
    <Menu
      label="Labels"
      filter="Add or remove a label…"
      trigger={trigger}
      items={all.map(({ id, name }) => ({
        id,
        label: name,
        icon: <i className={`dot id-${hueOf(id)}`} />,
        current: labels.some((label) => label.id === id),
        onSelect: () => edits?.labels(toggled(labels, { id, name })),
      }))}
    />
  );
}

/** Assigns a task to members of its project, not to blocked ones. */
export function PeoplePicker({ view, edits, trigger }: PickerProps) {
  const { data } = useQuery(contextQuery(view.seen.project_id));
  const { assignees } = view.seen.issue;
  return (
    <Menu
      label="Assignees"
      filter="Assign…"
      trigger={trigger}
      items={(data?.members ?? []).map(({ id, name, is_active }) => ({
        id,
        label: name,
        icon: <PersonDot name={name} size={16} silent />,
        current: assignees.some((person) => person.id === id),
        ...(is_active ? {} : { refused: 'Blocked: tasks cannot be assigned to them' }),
        onSelect: () => edits?.people(toggled(assignees, { id, name })),
      }))}
    />
  );
}

/** Sets the start and due date of a task. */
export function DatePicker({ view, edits, trigger }: PickerProps) {
  const { start_date, target_date } = view.seen.issue;
  return (
    <Popover label="Dates" trigger={trigger} className="dates">
      <Field label="Start">
        <Input type="date" value={start_date ?? ''} onChange={(event) => edits?.start(event.target.value)} />
      </Field>
      <Field label="Due">
        <Input type="date" value={target_date ?? ''} onChange={(event) => edits?.due(event.target.value)} />
      </Field>
      {target_date === undefined ? null : (
        <Button kind="plain" size="small" onClick={() => edits?.due('')}>
          No due date
        </Button>
      )}
    </Popover>
  );
}
