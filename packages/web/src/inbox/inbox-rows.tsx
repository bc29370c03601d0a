import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { type InboxRow, idOf } from '../api/inbox.ts';

/** From this many entries on, only those in view are drawn. */
const MIN_VIRTUAL = 100;
const ROW_HEIGHT = 66;

interface InboxRowsProps {
  readonly rows: readonly InboxRow[];
  readonly draw: (row: InboxRow) => ReactNode;
  /** Called when the last entry comes into view. */
  readonly onEnd: () => void;
}

function Virtual({ rows, draw, onEnd }: InboxRowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (at) => (rows[at] === undefined ? at : idOf(rows[at])),
    overscan: 8,
  });
  const seen = virtual.getVirtualItems();
  const isAtEnd = (seen.at(-1)?.index ?? 0) >= rows.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  const above = seen[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0);
  return (
    <ol ref={list}>
      <li className="ib-space" aria-hidden="true" style={{ height: above }} />
      {seen.map(({ index }) => rows[index] && draw(rows[index]))}
      <li className="ib-space" aria-hidden="true" style={{ height: below }} />
    </ol>
  );
}

/** The entries: all of a short list, those in view of a long one. */
export function InboxRows(props: InboxRowsProps) {
  const { rows, draw } = props;
  return rows.length >= MIN_VIRTUAL ? <Virtual {...props} /> : <ol>{rows.map(draw)}</ol>;
}
