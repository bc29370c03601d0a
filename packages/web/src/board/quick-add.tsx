import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createTask } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react';
import { reasonOf } from '../api/client.ts';
import { onceKey } from '../api/once.ts';
import { plural } from '../text/words.ts';
import { Icon } from '../ui/icon.tsx';
import { Input } from '../ui/input.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useToasts } from '../ui/toast.tsx';
import { linesOf } from './pasted-lines.ts';

interface QuickAddProps {
  readonly projectId: string;
  readonly status: string;
  readonly column: string;
  /** It stands open without taking the focus. */
  readonly stays?: boolean | undefined;
  /** It is open at first, and asks for a title or a list; it takes both. */
  readonly opened?: 'title' | 'list' | undefined;
}

const EXAMPLE = 'Fix the flaky login test';

/** A new task, with a name for the call that adds it. */
interface Titled {
  readonly title: string;
  readonly key: string;
}

const titled = (title: string): Titled => ({ title, key: onceKey() });

/** The foot of a column: a title and Enter add a task there, a pasted list adds many. */
export function QuickAdd({ projectId, status, column, stays, opened }: QuickAddProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [isOpen, setOpen] = useState(opened !== undefined);
  const [title, setTitle] = useState('');
  // The title whose answer did not come: sent again under its first key, it is added once.
  const failed = useRef<Titled | null>(null);
  const add = useMutation({
    // One after another, so that they stand in the order in which they were typed.
    scope: { id: `quick-add ${projectId} ${status}` },
    mutationFn: async (tasks: readonly Titled[]) => {
      for (const { title, key } of tasks) {
        await answerOf(createTask(projectId, { title, status, idempotency_key: key }));
      }
    },
    onSuccess: (_, tasks) => {
      if (tasks.length > 1) toasts.show({ text: `Added ${plural(tasks.length, 'task')} to ${column}` });
    },
    onError: (error, tasks) => {
      const [first] = tasks;
      // Of a list some were added, and the answer does not say which one was refused.
      if (first === undefined || tasks.length > 1) return void toasts.show({ kind: 'refused', text: reasonOf(error) });
      toasts.show({ kind: 'refused', text: `“${first.title}” was not added: ${reasonOf(error)}` });
      failed.current = first;
      setOpen(true);
      // Not over what was typed meanwhile.
      setTitle((typed) => (typed === '' ? first.title : typed));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['board'] }),
  });

  if (!isOpen && stays !== true) {
    return (
      <button className="add" type="button" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Add task
      </button>
    );
  }

  function send(event: FormEvent): void {
    event.preventDefault();
    const wanted = title.trim();
    if (wanted === '') return;
    add.mutate([failed.current?.title === wanted ? failed.current : titled(wanted)]);
    failed.current = null;
    // At once: the next title is typed while this one is on its way.
    setTitle('');
  }

  function paste(event: ClipboardEvent): void {
    const lines = linesOf(event.clipboardData.getData('text'));
    if (lines.length < 2) return;
    event.preventDefault();
    add.mutate(lines.map(titled));
  }

  return (
    <form className="quick-add" onSubmit={send}>
      <Input
        // The person has just asked to type here.
        autoFocus={stays !== true}
        value={title}
        maxLength={255}
        aria-label={opened === 'list' ? `List of tasks in ${column}` : `New task in ${column}`}
        placeholder={stays === true ? EXAMPLE : opened === 'list' ? 'Paste a list' : 'Title, or paste a list'}
        onChange={({ target }) => setTitle(target.value)}
        onPaste={paste}
        onBlur={() => (title === '' ? setOpen(false) : undefined)}
        onKeyDown={({ key }) => (key === 'Escape' ? setOpen(false) : undefined)}
      />
      {stays === true ? <Kbd keys="enter" /> : null}
    </form>
  );
}
