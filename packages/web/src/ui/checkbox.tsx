import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import './checkbox.css';

export interface CheckboxProps {
  /** Some: a part of what the box stands for is chosen. */
  readonly checked: boolean | 'some';
  readonly onChange: (checked: boolean) => void;
  /** Its name for readers; a Field or label element may name it instead. */
  readonly label?: string | undefined;
  readonly id?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly className?: string | undefined;
}

/** A box to tick, also half-ticked for a part of several. */
export function Checkbox({ checked, onChange, label, id, disabled, className }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input cannot hold the drawn mark, and its mixed state is no attribute.
    <button
      type="button"
      role="checkbox"
      id={id}
      aria-checked={checked === 'some' ? 'mixed' : checked}
      aria-label={label}
      disabled={disabled}
      className={classes('box', checked === true && 'on', checked === 'some' && 'some', className)}
      onClick={(event) => {
        // Rows and cards open on a click: ticking must not open them.
        event.stopPropagation();
        onChange(checked !== true);
      }}
    >
      <Icon name={checked === 'some' ? 'minus' : 'check'} />
    </button>
  );
}
