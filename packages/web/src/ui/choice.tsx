import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './choice.css';

export interface ChoiceOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly icon?: IconName | undefined;
  readonly disabled?: boolean | undefined;
}

export interface ChoiceProps<Value extends string> {
  /** The name of the group for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly ChoiceOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly className?: string | undefined;
}

/** How far from the end of the row the chosen part stands, so that the next one shows that there are more. */
const EDGE = 24;

/** Scrolls the row to the chosen button, which may be out of sight in a long row. */
function scrollTo(chosen: HTMLButtonElement | null): void {
  if (chosen === null || chosen.parentElement === null) return;
  const row = chosen.parentElement;
  const beyond = chosen.getBoundingClientRect().right - row.getBoundingClientRect().right;
  if (beyond > 0) row.scrollLeft += beyond + EDGE;
}

/** One of a few, side by side in a well. */
export function Choice<Value extends string>({ label, value, options, onChange, className }: ChoiceProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of flex items in every browser.
    <div className={classes('seg', className)} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          ref={option.value === value ? scrollTo : undefined}
          aria-pressed={option.value === value}
          disabled={option.disabled}
          onClick={() => onChange(option.value)}
        >
          {option.icon === undefined ? null : <Icon name={option.icon} />}
          {option.label}
        </button>
      ))}
    </div>
  );
}
