import { cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import './field.css';

interface ControlProps {
  readonly id?: string | undefined;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  /** Below the control: what to write, or what the field is for. */
  readonly hint?: ReactNode;
  /** A sentence that says what is wrong and what to do. It takes the hint's place. */
  readonly error?: string | undefined;
  /** Shown at the right of the label, such as a link. */
  readonly beside?: ReactNode;
  readonly className?: string | undefined;
  /** One Input, Textarea or element that takes id, aria-describedby and aria-invalid. */
  readonly children: ReactElement<ControlProps>;
}

/** A labelled input with its hint and its error. */
export function Field({ label, hint, error, beside, className, children }: FieldProps) {
  const own = useId();
  const id = children.props.id ?? own;
  const below = `${id}-below`;
  const said = error !== undefined || hint !== undefined;
  return (
    <div className={classes('field', className)}>
      <div className="fieldtop">
        <label htmlFor={id}>{label}</label>
        {beside}
      </div>
      {cloneElement(children, {
        id,
        'aria-describedby': said ? below : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error === undefined ? null : (
        <p className="hint bad" id={below} role="alert">
          <Icon name="alert" />
          {error}
        </p>
      )}
      {error !== undefined || hint === undefined ? null : (
        <p className="hint" id={below}>
          {hint}
        </p>
      )}
    </div>
  );
}
