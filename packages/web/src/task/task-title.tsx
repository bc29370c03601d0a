import { type KeyboardEvent, useState } from 'react';
import type { Edits } from './edits.ts';
import './task-text.css';

const MAX_TITLE = 255;

interface TaskTitleProps {
  readonly title: string;
  readonly edits: Edits | null;
}

/**
 * The title of a task. A click lets a person change it: Enter or a click elsewhere saves, Esc leaves it, an empty title
 * changes nothing.
 */
export function TaskTitle({ title, edits }: TaskTitleProps) {
  const [typed, setTyped] = useState<string | null>(null);
  if (edits === null) return <h1 className="title">{title}</h1>;
  if (typed === null) {
    return (
      <h1 className="title">
        <button className="title-edit" type="button" title="Change the title" onClick={() => setTyped(title)}>
          {title}
        </button>
      </h1>
    );
  }

  function save(): void {
    const next = (typed ?? '').replace(/\s+/g, ' ').trim();
    setTyped(null);
    if (next !== '' && next !== title) edits?.title(next);
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    if (event.key === 'Enter') save();
    else setTyped(null);
  }
  return (
    <textarea
      className="title title-in"
      aria-label="Title"
      value={typed}
      maxLength={MAX_TITLE}
      rows={1}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here.
      autoFocus
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={press}
      onBlur={save}
    />
  );
}
