import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './empty.css';

export interface EmptyProps {
  /** The mark above; a Walker where something is on its way. */
  readonly icon: IconName | ReactNode;
  /** One sentence or less. Never a bare “no data”. */
  readonly title: ReactNode;
  /** What will appear here, and the one thing to do. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** A view without content: what will be here, and how to begin. */
export function Empty({ icon, title, children, actions }: EmptyProps) {
  // The cast below: a text is the name of an icon, since no page passes another text as a node.
  return (
    <div className="empty-c">
      {typeof icon === 'string' ? (
        <span className="bigmark">
          <Icon name={icon as IconName} />
        </span>
      ) : (
        icon
      )}
      <h3>{title}</h3>
      {typeof children === 'string' ? <p>{children}</p> : children}
      {actions}
    </div>
  );
}

/** A square whose outline moves: an agent will begin, and nobody knows when. */
export function Walker({ big }: { readonly big?: boolean | undefined }) {
  return (
    <span className={big ? 'walker big' : 'walker'}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <rect x="2" y="2" width="16" height="16" rx="4.6" />
        <rect className="walk" x="2" y="2" width="16" height="16" rx="4.6" pathLength={100} />
      </svg>
    </span>
  );
}
