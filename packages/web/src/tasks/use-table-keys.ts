import { type RefObject, useRef } from 'react';
import { useKeys } from '../keys/bindings.ts';
import type { Item, Row } from './rows.ts';

interface TableKeysProps {
  readonly items: readonly Item[];
  readonly element: RefObject<HTMLElement | null>;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onOpen: (row: Row) => void;
  readonly onMove: (row: Row, anchor: Element) => void;
  /** Scrolls an item into view, so that it is drawn. */
  readonly show: (at: number) => void;
}

/**
 * The keys of the table of tasks: J K move from row to row, also out of view, X selects, Enter opens, M moves to a
 * state.
 */
export function useTableKeys({ items, element, selected, onSelect, onOpen, onMove, show }: TableKeysProps): void {
  // A row that was scrolled away has lost the focus: the keys go on from it nevertheless.
  const last = useRef<string | null>(null);

  const elementOf = (id: string): HTMLElement | undefined =>
    [...(element.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].find(({ dataset }) => dataset.row === id);
  const here = (): number => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row ?? last.current;
    return items.findIndex(({ kind, id }) => kind === 'row' && id === focused);
  };
  const rowAt = (at: number): Row | undefined => {
    const item = items[at];
    return item?.kind === 'row' ? item.row : undefined;
  };

  function focus(id: string, tries = 10): void {
    const found = elementOf(id);
    if (found !== undefined) found.focus({ preventScroll: true });
    // It is drawn after the table has scrolled to it.
    else if (tries > 0) requestAnimationFrame(() => focus(id, tries - 1));
  }

  /** Returns the row that the focus went to. */
  function go(step: 1 | -1): Row | undefined {
    const from = here();
    let to = from === -1 ? 0 : from + step;
    while (items[to]?.kind === 'head') to += step;
    const item = items[to] ?? (from === -1 ? items.find(({ kind }) => kind === 'row') : undefined);
    if (item?.kind !== 'row') return undefined;
    last.current = item.id;
    show(items.indexOf(item));
    focus(item.id);
    return item.row;
  }

  const extend = (step: 1 | -1) => () => {
    const both = [rowAt(here()), go(step)];
    onSelect(new Set([...selected, ...both.flatMap((row) => row?.card.task_id ?? [])]));
  };
  const withRow = (act: (row: Row) => void) => () => {
    const row = rowAt(here());
    if (row !== undefined) act(row);
  };

  useKeys({
    j: { does: 'Next task', run: () => void go(1) },
    k: { does: 'Task before', run: () => void go(-1) },
    'shift+j': { does: 'Select the next', run: extend(1) },
    'shift+k': { does: 'Select the one before', run: extend(-1) },
    x: {
      does: 'Select',
      run: withRow(({ card: { task_id } }) => {
        const next = new Set(selected);
        if (!next.delete(task_id)) next.add(task_id);
        onSelect(next);
      }),
    },
    enter: { does: 'Open', run: withRow(onOpen) },
    m: {
      does: 'Move to a state',
      run: withRow((row) => {
        const anchor = elementOf(items[here()]?.id ?? '') ?? element.current;
        if (anchor !== null) onMove(row, anchor);
      }),
    },
    escape: { run: () => onSelect(new Set()) },
  });
}
