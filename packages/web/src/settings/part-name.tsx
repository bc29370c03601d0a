import { type ReactNode, useState } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { Input } from '../ui/input.tsx';

const MAX_NAME = 50;

interface PartNameProps {
  readonly name: string;
  /** The name as it is shown while nobody changes it. */
  readonly children: ReactNode;
  /** The cells between the name and the buttons. */
  readonly beside?: ReactNode;
  readonly onRename: (name: string) => void;
  readonly onRemove: () => void;
}

/** The cells of a state or label: its name, which can be changed in place, and the buttons that change or remove it. */
export function PartName({ name, children, beside, onRename, onRemove }: PartNameProps) {
  const [typed, setTyped] = useState<string | null>(null);
  function save(): void {
    const next = typed?.trim() ?? '';
    setTyped(null);
    if (next !== '' && next !== name) onRename(next);
  }
  return (
    <>
      <td>
        {typed === null ? (
          <span className="cell">{children}</span>
        ) : (
          <Input
            aria-label={`Name of ${name}`}
            value={typed}
            maxLength={MAX_NAME}
            // The person has just asked to type here.
            autoFocus
            onChange={({ target }) => setTyped(target.value)}
            onBlur={save}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save();
              if (event.key === 'Escape') setTyped(null);
            }}
          />
        )}
      </td>
      {beside}
      <td className="r">
        <IconButton icon="edit" label={`Rename ${name}`} onClick={() => setTyped(name)} />
        <IconButton icon="x" label={`Remove ${name}`} onClick={onRemove} />
      </td>
    </>
  );
}
