import { type KeyboardEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Textarea } from '../ui/textarea.tsx';
import './task-text.css';

interface WordsEditorProps {
  readonly label: string;
  /** What is there now: another may change it meanwhile. */
  readonly text: string;
  readonly max: number;
  readonly rows?: number;
  /** The word on the button: Save. */
  readonly save?: string;
  /** Whether typing begins here; another field of the form may come first. */
  readonly isFirst?: boolean;
  readonly onSave: (text: string) => void;
  readonly onClose: () => void;
}

/** Changes a longer text: ⌘↵ saves it, Esc leaves it as it was. */
export function WordsEditor({
  label,
  text,
  max,
  rows = 8,
  save: verb = 'Save',
  isFirst = true,
  onSave,
  onClose,
}: WordsEditorProps) {
  const [before] = useState(text);
  const [typed, setTyped] = useState(text);

  function save(): void {
    onClose();
    if (typed !== text) onSave(typed.trim());
  }
  function press(event: KeyboardEvent): void {
    const isSave = event.key === 'Enter' && (event.metaKey || event.ctrlKey);
    if (!isSave && event.key !== 'Escape') return;
    event.preventDefault();
    if (isSave) save();
    else onClose();
  }
  return (
    <div className="words-edit">
      <Textarea
        aria-label={label}
        value={typed}
        maxLength={max}
        rows={rows}
        autoFocus={isFirst}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={press}
      />
      <div className="words-acts">
        <span className="hint">
          {text === before ? 'Markdown' : 'Someone has changed it meanwhile. Saving replaces their text.'}
        </span>
        <span className="grow" />
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button size="small" kind="primary" keys="mod+enter" onClick={save}>
          {verb}
        </Button>
      </div>
    </div>
  );
}
