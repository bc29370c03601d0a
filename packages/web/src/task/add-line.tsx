import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { Input } from '../ui/input.tsx';

interface AddLineProps {
  /** Such as “Add a criterion”. */
  readonly label: string;
  readonly max: number;
  readonly onAdd: (text: string) => void;
  /** Begins as a line: another button has opened it. */
  readonly open?: boolean;
  readonly onOpen?: () => void;
  readonly onClose?: () => void;
}

/** A button that becomes a line to type in. Enter adds, and the next one can be typed; Esc ends. */
export function AddLine({ label, max, onAdd, open = false, onOpen, onClose }: AddLineProps) {
  const [typed, setTyped] = useState<string | null>(open ? '' : null);
  const begin = () => {
    setTyped('');
    onOpen?.();
  };
  const close = () => {
    setTyped(null);
    onClose?.();
  };
  if (typed === null) {
    return (
      <button className="add-line" type="button" onClick={begin}>
        <Icon name="plus" />
        {label}
      </button>
    );
  }

  function add(event: FormEvent): void {
    event.preventDefault();
    const text = (typed ?? '').trim();
    if (text !== '') onAdd(text);
    if (text === '') close();
    else setTyped('');
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  }
  return (
    <form className="add-line-in" onSubmit={add}>
      <Input
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={max}
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={press}
        onBlur={() => (typed === '' ? close() : undefined)}
      />
    </form>
  );
}
