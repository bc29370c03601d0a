import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './band.css';

export interface BandProps {
  /** Needs you, failed (the last line of the error as code), stalled (when the claim returns), or ready to read. */
  readonly kind: 'you' | 'fail' | 'stall' | 'review';
  readonly icon?: IconName | undefined;
  readonly children: ReactNode;
  /** The answer is where the question is: small buttons. */
  readonly actions?: ReactNode;
}

const ICONS: Readonly<Record<BandProps['kind'], IconName>> = {
  you: 'hand',
  fail: 'alert',
  stall: 'clock',
  review: 'eye',
};

/** The foot of a card that says what is wrong or who is waited for. */
export function Band({ kind, icon, children, actions }: BandProps) {
  return (
    <div className={`band ${kind}`}>
      <Icon name={icon ?? ICONS[kind]} />
      <p>{children}</p>
      {actions === undefined ? null : <div className="acts">{actions}</div>}
    </div>
  );
}
