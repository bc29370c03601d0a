import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect } from 'react';
import type { ColumnItem } from './column-items.ts';

/** From this many items on, only those in view are drawn. */
const MIN_VIRTUAL = 100;
const CARD_HEIGHT = 104;

interface ColumnBodyProps {
  readonly items: readonly ColumnItem[];
  /** The element that scrolls; null before it is there. */
  readonly scroller: HTMLElement | null;
  readonly draw: (item: ColumnItem) => ReactNode;
  /** Called when the last item comes into view. */
  readonly onEnd: () => void;
}

function Virtual({ items, scroller, draw, onEnd }: ColumnBodyProps) {
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (at) => items[at]?.id ?? at,
    overscan: 8,
    gap: 8,
  });
  const seen = virtual.getVirtualItems();
  const isAtEnd = (seen.at(-1)?.index ?? 0) >= items.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  return (
    <div className="col-virtual" style={{ height: virtual.getTotalSize() }}>
      {seen.map(({ key, index, start }) => {
        const item = items[index];
        return item === undefined ? null : (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className="col-item"
            style={{ transform: `translateY(${start}px)` }}
          >
            {draw(item)}
          </div>
        );
      })}
    </div>
  );
}

/** The items of a column: all of a short one, those in view of a long one. */
export function ColumnBody(props: ColumnBodyProps) {
  const { items, draw } = props;
  if (items.length >= MIN_VIRTUAL) return <Virtual {...props} />;
  return items.map((item) => (
    <div key={item.id} className="col-item-plain">
      {draw(item)}
    </div>
  ));
}
