import type { ReactNode } from 'react';
import { hueOf } from '../text/hue.ts';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './meta.css';

export interface MetaProps {
  readonly icon: IconName;
  /** What the number counts, on hover and for readers. */
  readonly title: string;
  /** All of them: the number turns green. */
  readonly full?: boolean | undefined;
  readonly children: ReactNode;
}

/** A small count with its icon: criteria 2/5, messages 3. */
export function Meta({ icon, title, full, children }: MetaProps) {
  return (
    <span className={classes('meta', full && 'full')} title={title}>
      <Icon name={icon} />
      <span className="sr">{title}: </span>
      {children}
    </span>
  );
}

export interface LabelTagProps {
  /** Decides the hue; the name where a label has no id. */
  readonly id: string;
  readonly name: string;
}

/** A label: its dot and its name. */
export function LabelTag({ id, name }: LabelTagProps) {
  return (
    <span className="label">
      <i className={`id-${hueOf(id)}`} />
      <span>{name}</span>
    </span>
  );
}
