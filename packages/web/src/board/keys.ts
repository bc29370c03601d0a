import { type RefObject, useState } from 'react';
import type { Board, Card } from '../api/board.ts';
import { useKeys } from '../keys/bindings.ts';
import { type Direction, focusedCard, meantCard, moveFocus } from './focus.ts';

interface BoardKeysProps {
  readonly board: Board | undefined;
  readonly element: RefObject<HTMLElement | null>;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onOpen: (card: Card) => void;
  /** Opens the page of a task, where there is one. */
  readonly onPage?: (card: Card) => void;
}

interface Moving {
  readonly cards: readonly Card[];
  readonly anchor: Element;
}

/** The keys of the board: J K H L move from card to card, X selects, Enter opens, M moves (the card under the mouse, where none has the focus), A approves, D denies. */
export function useBoardKeys({ board, element, selected, onSelect, onOpen, onPage }: BoardKeysProps) {
  const [moving, setMoving] = useState<Moving | null>(null);
  const cards = board?.columns.flatMap((column) => column.cards) ?? [];
  const cardOf = (task: string | undefined): Card | undefined => cards.find(({ task_id }) => task_id === task);
  const focused = (): Card | undefined => cardOf(focusedCard(element.current)?.dataset.task);
  const meant = (): Card | undefined => cardOf(meantCard(element.current)?.dataset.task);

  const go = (direction: Direction) => () => {
    if (element.current !== null) moveFocus(element.current, direction);
  };
  const toggle = (task: string) => {
    const next = new Set(selected);
    if (!next.delete(task)) next.add(task);
    onSelect(next);
  };
  const extend = (direction: Direction) => () => {
    const before = focused();
    go(direction)();
    const after = focused();
    onSelect(new Set([...selected, ...[before, after].flatMap((card) => card?.task_id ?? [])]));
  };
  /** Presses the button of the focused card that shows this key. */
  const press = (key: string) => () =>
    focusedCard(element.current)?.querySelector<HTMLButtonElement>(`button[aria-keyshortcuts~="${key}" i]`)?.click();

  useKeys({
    j: { does: 'Next card', run: go('down') },
    k: { does: 'Card before', run: go('up') },
    h: { does: 'Column to the left', run: go('left') },
    l: { does: 'Column to the right', run: go('right') },
    x: {
      does: 'Select',
      run: () => {
        const card = meant();
        if (card !== undefined) toggle(card.task_id);
      },
    },
    'shift+j': { does: 'Select the next', run: extend('down') },
    'shift+k': { does: 'Select the one before', run: extend('up') },
    enter: {
      does: 'Open',
      run: () => {
        const card = focused();
        if (card !== undefined) onOpen(card);
      },
    },
    ...(onPage !== undefined && {
      'mod+enter': {
        does: 'Open as page',
        run: () => {
          const card = meant();
          if (card !== undefined) onPage(card);
        },
      },
    }),
    m: {
      does: 'Move to a state',
      run: () => {
        const anchor = meantCard(element.current);
        const own = meant();
        const chosen = [...selected].flatMap((task) => cardOf(task) ?? []);
        const moved = chosen.length > 0 ? chosen : own === undefined ? [] : [own];
        if (anchor !== null && moved.length > 0) setMoving({ cards: moved, anchor });
      },
    },
    a: { does: 'Approve', run: press('a') },
    d: { does: 'Deny', run: press('d') },
    escape: { run: () => onSelect(new Set()) },
  });

  return { moving, endMove: () => setMoving(null) };
}
