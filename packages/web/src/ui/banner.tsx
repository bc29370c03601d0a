import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './banner.css';

export interface BannerProps {
  /** A tint only if someone must act: amber for the reader, red for what is off. */
  readonly kind?: 'you' | 'fail' | undefined;
  readonly icon: IconName;
  /** The state in bold, then the remedy. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** Above the content, one at a time, with the one thing to do. */
export function Banner({ kind, icon, children, actions }: BannerProps) {
  return (
    <div className={classes('banner', kind)} role="status">
      <Icon name={icon} />
      <p>{children}</p>
      {actions === undefined ? null : <span className="opts">{actions}</span>}
    </div>
  );
}
