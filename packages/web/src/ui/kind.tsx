import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './kind.css';

export interface KindProps {
  readonly tone?: Tone | undefined;
  readonly icon: IconName;
  readonly children: ReactNode;
}

/** What an entry is about, as icon and word without a tint: Approval, Question, Failed. */
export function Kind({ tone, icon, children }: KindProps) {
  return (
    <span className={classes('kind', tone)}>
      <Icon name={icon} />
      {children}
    </span>
  );
}
