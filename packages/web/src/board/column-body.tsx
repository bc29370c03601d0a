import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect } from 'react';
import type { ColumnItem } from './column-items.ts';

/** How high items are as long as they have not been drawn, with the gap below them. */
const HEIGHTS: Readonly<Record<ColumnItem['kind'], number>> = { head: 28, card: 112, stack: 112, row: 54 };

interface ColumnBodyProps {
  readonly items: readonly ColumnItem[];
  /** Whether only the items in view are drawn. */
  readonly isLong: boolean;
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
    estimateSize: (at) => HEIGHTS[items[at]?.kind ?? 'card'],
    getItemKey: (at) => items[at]?.id ?? at,
    overscan: 4,
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
            className={item.kind === 'row' && !item.isLast ? 'col-item joined' : 'col-item'}
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
  const { items, isLong, draw } = props;
  if (isLong) return <Virtual {...props} />;
  return items.map((item) => (
    <div key={item.id} className="col-item-plain">
      {draw(item)}
    </div>
  ));
}
