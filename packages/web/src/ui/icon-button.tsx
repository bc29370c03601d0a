import type { ComponentPropsWithRef } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { Tooltip } from './tooltip.tsx';
import './icon-button.css';

export interface IconButtonProps extends ComponentPropsWithRef<'button'> {
  readonly icon: IconName;
  /** What the button does: its name for readers, and its hint on hover. */
  readonly label: string;
  readonly size?: 'normal' | 'tiny' | undefined;
  /** The key that does the same, shown in the hint. */
  readonly keys?: string | undefined;
}

/** A button with an icon alone, its name and its key in a tooltip. */
export function IconButton({ icon, label, size = 'normal', keys, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={classes('ibtn', size === 'tiny' && 'tiny', className)}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  );
}
