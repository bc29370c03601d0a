import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { RefObject } from 'react';
import { Kbd } from './kbd.tsx';
import type { TooltipProps } from './tooltip.tsx';

export interface TooltipPopupProps extends Omit<TooltipProps, 'children'> {
  readonly anchor: RefObject<Element | null>;
}

/** The hint itself: loaded when somebody points at something that has one. */
export function TooltipPopup({ text, keys, side = 'bottom', anchor }: TooltipPopupProps) {
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="tip-at" anchor={anchor}>
          <Base.Popup className="tip">
            {text}
            {keys === undefined ? null : <Kbd keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
