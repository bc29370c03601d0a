import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './badge.css';

export type Tone = 'run' | 'you' | 'review' | 'done' | 'fail';

export interface BadgeProps {
  /** Its colour; without one it is grey. Amber is only for what waits for a person. */
  readonly tone?: Tone | undefined;
  readonly icon?: IconName | undefined;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** A word in the colour of its meaning, such as a verdict. */
export function Badge({ tone, icon, title, children }: BadgeProps) {
  return (
    <span className={classes('badge', tone)} title={title}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </span>
  );
}
