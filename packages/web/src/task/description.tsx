import { useState } from 'react';
import { LazyMarkdown } from '../text/lazy-markdown.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import type { Edits } from './edits.ts';
import { WordsEditor } from './words-editor.tsx';

const MAX_DESCRIPTION = 50_000;

interface DescriptionProps {
  readonly text: string | null;
  readonly edits: Edits | null;
}

/** The description of a task as Markdown, and the editor for it. */
export function Description({ text, edits }: DescriptionProps) {
  const [isOpen, setOpen] = useState(false);
  if (edits !== null && isOpen) {
    return (
      <WordsEditor
        label="Description"
        text={text ?? ''}
        max={MAX_DESCRIPTION}
        rows={10}
        onSave={edits.description}
        onClose={() => setOpen(false)}
      />
    );
  }
  if (text === null) {
    return edits === null ? null : (
      <button className="add-line" type="button" onClick={() => setOpen(true)}>
        <Icon name="edit" />
        Add a description
      </button>
    );
  }
  return (
    <div className="editable">
      <LazyMarkdown source={text} />
      {edits === null ? null : <IconButton icon="edit" label="Change the description" onClick={() => setOpen(true)} />}
    </div>
  );
}
