import type { ReactNode } from 'react';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** Before the label: an Icon, a StatusIcon, a tile. */
  readonly icon?: ReactNode;
  /** Below the label, in small. */
  readonly note?: string | undefined;
  /** The key that does it. Without one, items take the numbers 1 to 9 by their place. */
  readonly keys?: string | undefined;
  /** The one that holds now. */
  readonly current?: boolean | undefined;
  /** Why it cannot be done: the item stays, with the reason and a lock. */
  readonly refused?: string | undefined;
  readonly danger?: boolean | undefined;
  /** A line above it. */
  readonly apart?: boolean | undefined;
  readonly onSelect: () => void;
}

/** The items, parted where a line is drawn. */
export function sectionsOf(items: readonly MenuItem[]): readonly (readonly MenuItem[])[] {
  const sections: MenuItem[][] = [];
  for (const item of items) {
    const last = sections.at(-1);
    if (last === undefined || item.apart) {
      sections.push([item]);
    } else {
      last.push(item);
    }
  }
  return sections;
}

/** The key of each item: its own, or the number of its place. A refused item keeps its number, so that no other moves. */
export function keysOf(items: readonly MenuItem[], numbered: boolean): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  items.forEach((item, at) => {
    const key = item.keys ?? (numbered && at < 9 ? String(at + 1) : undefined);
    if (key !== undefined) {
      keys.set(item.id, key);
    }
  });
  return keys;
}

/**
 * The item that a pressed key does. In a menu with a filter, letters are what the filter is made of: there only numbers
 * count, and only while nothing is typed.
 */
export function itemOfKey(
  items: readonly MenuItem[],
  keys: ReadonlyMap<string, string>,
  pressed: string,
  filter: { readonly on: boolean; readonly query: string },
): MenuItem | undefined {
  if (filter.on && (filter.query !== '' || !/^\d$/.test(pressed))) {
    return undefined;
  }
  return items.find((item) => item.refused === undefined && keys.get(item.id)?.toLowerCase() === pressed.toLowerCase());
}
