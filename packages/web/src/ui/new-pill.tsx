import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import './new-pill.css';

export interface NewPillProps {
  readonly onClick: () => void;
  /** Down: what is new is below. */
  readonly down?: boolean | undefined;
  /** As “3 new”. */
  readonly children: ReactNode;
}

/** A button to entries that came while the reader was elsewhere in the list: the list does not jump to them. */
export function NewPill({ onClick, down, children }: NewPillProps) {
  return (
    <button className="newpill" type="button" onClick={onClick}>
      <Icon name={down ? 'down' : 'up'} />
      {children}
    </button>
  );
}
