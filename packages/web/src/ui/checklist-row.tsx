import type { ReactNode } from 'react';
import { Checkbox } from './checkbox.tsx';
import { classes } from './classes.ts';
import './checklist-row.css';

export interface ChecklistRowProps {
  readonly checked: boolean;
  /** The words of the criterion: also the name of its box. */
  readonly text: string;
  readonly onChange?: ((checked: boolean) => void) | undefined;
  /** Who ticked it, and when. */
  readonly children?: ReactNode;
}

/** An acceptance criterion, inside a Checklist. */
export function ChecklistRow({ checked, text, onChange, children }: ChecklistRowProps) {
  return (
    <li className={classes(checked && 'on') || undefined}>
      <Checkbox
        checked={checked}
        label={text}
        disabled={onChange === undefined}
        onChange={(next) => onChange?.(next)}
      />
      <span>{text}</span>
      {children === undefined ? null : <span className="ticked">{children}</span>}
    </li>
  );
}

export function Checklist({ children }: { readonly children: ReactNode }) {
  return <ul className="crits">{children}</ul>;
}
