import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

const MIN_PERCENT = 30;
const MAX_PERCENT = 80;
const KEY_STEP = 2;

/** The share of the left panel, within the bounds that leave both panels readable. */
export const clamped = (share: number): number =>
  Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, Math.round(share * 10) / 10));

interface DividerProps {
  /** The share of the left panel in percent. */
  readonly share: number;
  readonly onShare: (share: number) => void;
}

/** Parts two panels; it is dragged, or moved with the arrow keys. */
export function Divider({ share, onShare }: DividerProps) {
  const isDragged = useRef(false);

  function move(event: PointerEvent<HTMLHRElement>): void {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (isDragged.current && box !== undefined && box.width > 0) {
      onShare(clamped(((event.clientX - box.left) / box.width) * 100));
    }
  }

  function press({ key }: KeyboardEvent): void {
    if (key === 'ArrowLeft') onShare(clamped(share - KEY_STEP));
    if (key === 'ArrowRight') onShare(clamped(share + KEY_STEP));
    if (key === 'Home') onShare(MIN_PERCENT);
    if (key === 'End') onShare(MAX_PERCENT);
  }

  return (
    <hr
      className="divider"
      aria-orientation="vertical"
      aria-label="Width of the timeline"
      aria-valuenow={Math.round(share)}
      aria-valuemin={MIN_PERCENT}
      aria-valuemax={MAX_PERCENT}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => {
        isDragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={move}
      onPointerUp={() => {
        isDragged.current = false;
      }}
    />
  );
}
