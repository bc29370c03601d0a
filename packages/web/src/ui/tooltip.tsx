import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { Kbd } from './kbd.tsx';
import './tooltip.css';

export interface TooltipProps {
  /** Words beside the control. They repeat or add to its name and never carry the only copy of a fact. */
  readonly text: string;
  readonly keys?: string | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
  /** The control itself: an element that takes a ref and props. */
  readonly children: ReactElement;
}

/** A hint on hover and on focus. Where many controls lie side by side, wrap them in TooltipGroup. */
export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={500} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="tip-at">
          <Base.Popup className="tip">
            {text}
            {keys === undefined ? null : <Kbd keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** After the first hint the next one beside it opens at once. */
export const TooltipGroup = Base.Provider;
