import type { RefObject } from 'react';
import { useKeys } from '../keys/bindings.ts';

interface RowKeysProps<Item> {
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly element: RefObject<HTMLElement | null>;
  readonly onOpen: (item: Item) => void;
  readonly onToggle?: ((item: Item) => void) | undefined;
  readonly onClear?: (() => void) | undefined;
}

/**
 * Keys of a list whose rows carry their id as data-row: j and k move the focus, from nowhere to the first row, and stop at
 * the ends; Enter opens, x selects.
 */
export function useRowKeys<Item>({ items, idOf, element, onOpen, onToggle, onClear }: RowKeysProps<Item>): void {
  const rows = (): readonly HTMLElement[] => [...(element.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const here = (): number => rows().findIndex((row) => row.contains(document.activeElement));
  const go = (by: 1 | -1) => () => {
    const at = here();
    const next = rows()[at === -1 ? 0 : at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const withItem = (act: ((item: Item) => void) | undefined) => () => {
    const id = rows()[here()]?.dataset.row;
    const item = items.find((each) => idOf(each) === id);
    if (item !== undefined) act?.(item);
  };
  useKeys({
    j: { does: 'Next row', run: go(1) },
    k: { does: 'Row before', run: go(-1) },
    enter: { does: 'Open', run: withItem(onOpen) },
    ...(onToggle === undefined ? {} : { x: { does: 'Select', run: withItem(onToggle) } }),
    ...(onClear === undefined ? {} : { escape: { run: onClear } }),
  });
}
