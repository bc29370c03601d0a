import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import './popover.css';

export interface PopoverProps {
  /** The control that opens it. */
  readonly trigger: ReactElement;
  /** Its name for readers. */
  readonly label: string;
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A small panel at its control, for settings and facts. What is a list of actions is a Menu. */
export function Popover(props: PopoverProps) {
  const { trigger, label, open, onOpenChange, align = 'start', side = 'bottom', className, children } = props;
  return (
    <Base.Root {...(open === undefined ? {} : { open })} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="pop-at" side={side} align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={classes('pop', className)} aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Closes the popover around it: render it as a Button. */
