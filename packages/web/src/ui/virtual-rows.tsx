import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect } from 'react';

export interface VirtualRowsProps<Item> {
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  /** The element that scrolls; null before it is there. */
  readonly scroller: HTMLElement | null;
  readonly height: number;
  /** How many columns the table has. */
  readonly columns: number;
  readonly draw: (item: Item) => ReactNode;
  /** Called when the last row comes into view. */
  readonly onEnd?: (() => void) | undefined;
}

/** From this many rows on, only those in view are drawn. */
const MIN_VIRTUAL = 100;

/** The room of rows that are not drawn. */
const Gap = ({ height, columns }: { readonly height: number; readonly columns: number }) =>
  height <= 0 ? null : (
    <tr className="gap" aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );

function Seen<Item>({ items, idOf, scroller, height, columns, draw, onEnd }: VirtualRowsProps<Item>) {
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => height,
    getItemKey: (at) => (items[at] === undefined ? at : idOf(items[at])),
    overscan: 16,
  });
  const seen = virtual.getVirtualItems();
  const isAtEnd = (seen.at(-1)?.index ?? 0) >= items.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  return (
    <>
      <Gap columns={columns} height={seen[0]?.start ?? 0} />
      {seen.map(({ index }) => (items[index] === undefined ? null : draw(items[index])))}
      <Gap columns={columns} height={virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)} />
    </>
  );
}

/** The rows of a table: all of a short one, those in view of a long one. */
export function VirtualRows<Item>(props: VirtualRowsProps<Item>) {
  return props.items.length >= MIN_VIRTUAL ? <Seen {...props} /> : props.items.map(props.draw);
}
