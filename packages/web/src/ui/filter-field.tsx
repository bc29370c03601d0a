import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../keys/bindings.ts';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';

export interface FilterFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field that filters a list by words; the key / leads to it. */
export function FilterField({ value, onChange }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // A letter is shown at once, before the list is filtered and the address has it.
  const [text, setText] = useState(value);
  useEffect(() => {
    // While somebody types, what comes back is older than what the field has.
    if (document.activeElement !== field.current) setText(value);
  }, [value]);
  useKeys({ '/': { does: 'Filter', run: () => field.current?.focus() } });
  return (
    <label className="filter-in">
      <Icon name="filter" />
      <input
        ref={field}
        value={text}
        placeholder="Filter"
        aria-label="Filter by words"
        onChange={({ target }) => {
          setText(target.value);
          onChange(target.value);
        }}
        onBlur={() => setText(value)}
        onKeyDown={({ key, currentTarget }) => (key === 'Escape' ? currentTarget.blur() : undefined)}
      />
      <Kbd keys="/" />
    </label>
  );
}
