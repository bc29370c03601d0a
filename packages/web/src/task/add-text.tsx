import { useState } from 'react';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Input } from '../ui/input.tsx';
import { WordsEditor } from './words-editor.tsx';

const MAX_HEADING = 200;
const MAX_TEXT = 10_000;

interface AddTextProps {
  readonly onAdd: (heading: string, text: string) => void;
}

/** Adds a text with a heading of its own, such as a plan or notes. */
export function AddText({ onAdd }: AddTextProps) {
  const [heading, setHeading] = useState<string | null>(null);
  if (heading === null) {
    return (
      <button className="add-line" type="button" onClick={() => setHeading('')}>
        <Icon name="plus" />
        Add a text
      </button>
    );
  }
  return (
    <div className="add-text">
      <Field label="Heading">
        <Input
          autoFocus
          placeholder="Such as Plan or Notes"
          value={heading}
          maxLength={MAX_HEADING}
          onChange={(event) => setHeading(event.target.value)}
        />
      </Field>
      <WordsEditor
        label="Text"
        text=""
        max={MAX_TEXT}
        rows={5}
        isFirst={false}
        onSave={(text) => (text === '' ? undefined : onAdd(heading.trim(), text))}
        onClose={() => setHeading(null)}
      />
    </div>
  );
}
