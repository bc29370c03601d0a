import { useRef } from 'react';
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
  useKeys({ '/': { does: 'Filter', run: () => field.current?.focus() } });
  return (
    <label className="filter-in">
      <Icon name="filter" />
      <input
        ref={field}
        value={value}
        placeholder="Filter"
        aria-label="Filter by words"
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key, currentTarget }) => (key === 'Escape' ? currentTarget.blur() : undefined)}
      />
      <Kbd keys="/" />
    </label>
  );
}
