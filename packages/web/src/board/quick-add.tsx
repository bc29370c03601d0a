import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createTask } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import { reasonOf } from '../api/client.ts';
import { plural } from '../text/words.ts';
import { Icon } from '../ui/icon.tsx';
import { Input } from '../ui/input.tsx';
import { useToasts } from '../ui/toast.tsx';
import { linesOf } from './pasted-lines.ts';

interface QuickAddProps {
  readonly projectId: string;
  readonly status: string;
  readonly column: string;
  /** It stands open, without taking the focus. */
  readonly stays?: boolean | undefined;
}

/** The foot of a column: a title and Enter add a task there, a pasted list adds many. */
export function QuickAdd({ projectId, status, column, stays = false }: QuickAddProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle] = useState('');
  const add = useMutation({
    mutationFn: async (titles: readonly string[]) => {
      // One after another, so that they stand in the order of the list.
      for (const each of titles) await answerOf(createTask(projectId, { title: each, status }));
    },
    onSuccess: (_, titles) => {
      setTitle('');
      if (titles.length > 1) toasts.show({ text: `Added ${plural(titles.length, 'task')} to ${column}` });
    },
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['board'] }),
  });

  if (!isOpen && !stays) {
    return (
      <button className="add" type="button" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Add task
      </button>
    );
  }

  function send(event: FormEvent): void {
    event.preventDefault();
    if (title.trim() !== '' && !add.isPending) add.mutate([title.trim()]);
  }

  function paste(event: ClipboardEvent): void {
    const lines = linesOf(event.clipboardData.getData('text'));
    if (lines.length < 2) return;
    event.preventDefault();
    add.mutate(lines);
  }

  return (
    <form className="quick-add" onSubmit={send}>
      <Input
        // The person has just asked to type here.
        autoFocus={!stays}
        value={title}
        maxLength={255}
        aria-label={`New task in ${column}`}
        placeholder="Title, or paste a list"
        onChange={({ target }) => setTitle(target.value)}
        onPaste={paste}
        onBlur={() => (title === '' ? setOpen(false) : undefined)}
        onKeyDown={({ key }) => (key === 'Escape' ? setOpen(false) : undefined)}
      />
    </form>
  );
}
