import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { KeyLabel } from './key-label.tsx';
import './card.css';

export interface CardProps extends ComponentPropsWithRef<'article'> {
  /** Key and title: the card's name for readers. */
  readonly label: string;
  readonly selected?: boolean | undefined;
  /** Its panel is open. */
  readonly open?: boolean | undefined;
  /** It was just changed by someone else. */
  readonly glow?: boolean | undefined;
  readonly dragged?: boolean | undefined;
}

/** The frame of a card: it takes the focus, and shows what is going on with it. */
export function Card({ label, selected, open, glow, dragged, className, ...rest }: CardProps) {
  return (
    <article
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys j and k move the focus from card to card, and Enter opens one.
      tabIndex={0}
      aria-label={label}
      {...rest}
      className={classes('card', selected && 'selected', open && 'open', glow && 'glow', dragged && 'drag', className)}
    />
  );
}

export interface CardHeadProps {
  /** A PriorityIcon. */
  readonly priority?: ReactNode;
  readonly taskKey: string;
  /** Beside the key: its sub-tasks. */
  readonly marks?: ReactNode;
  /** At the right: who holds it. */
  readonly children?: ReactNode;
  /** Who just changed it, as “kite moved this”. */
  readonly by?: string | undefined;
}

export function CardHead({ priority, taskKey, marks, by, children }: CardHeadProps) {
  return (
    <header>
      {priority}
      <KeyLabel value={taskKey} />
      {marks}
      <span className="grow" />
      {by === undefined ? null : <span className="by">{by}</span>}
      {children}
    </header>
  );
}

export interface CardNowProps {
  /** What the agent does now. */
  readonly text: string;
  readonly ended: number;
  readonly all: number;
}

/** The current step and n/m; a StepBar follows it. */
export function CardNow({ text, ended, all }: CardNowProps) {
  return (
    <div className="now">
      <span className="now-text">{text}</span>
      <span className="num">
        {ended}/{all}
      </span>
    </div>
  );
}

export interface CardLineProps {
  readonly children: ReactNode;
}

export function CardBranch({ children }: CardLineProps) {
  return (
    <div className="branch">
      <Icon name="branch" />
      <span>{children}</span>
    </div>
  );
}

/** The line of a card that says what it waits for. */
export function CardBlocked({ children }: CardLineProps) {
  return (
    <div className="blocked">
      <Icon name="block" />
      <span>{children}</span>
    </div>
  );
}
