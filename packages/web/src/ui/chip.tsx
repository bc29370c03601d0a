import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './chip.css';

export interface ChipProps extends ComponentPropsWithRef<'button'> {
  /** On: the filter is set. A click then removes it, and the chip shows ×. */
  readonly on?: boolean | undefined;
  /** The chip opens a menu: it shows an arrow. */
  readonly opens?: boolean | undefined;
  /** Amber: for something that waits for a person. */
  readonly you?: boolean | undefined;
  readonly icon?: IconName | undefined;
  readonly count?: number | undefined;
  readonly children: ReactNode;
}

/** A filter of a bar: set, removed by a click, or with a menu. */
export function Chip({ on, opens, you, icon, count, children, className, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={opens ? undefined : (on ?? false)}
      {...rest}
      className={classes('chip', on && 'on', you && 'you', className)}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span>{children}</span>
      {count === undefined ? null : <b>{count}</b>}
      {on && !opens ? <Icon name="x" /> : null}
      {opens ? <Icon name="down" /> : null}
    </button>
  );
}
