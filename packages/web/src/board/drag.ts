import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useState } from 'react';
import type { Card } from '../api/board.ts';
import type { Spot } from './drop-place.ts';

/** What is dragged. */
const cardIn = (data: Readonly<Record<string | symbol, unknown>>): Card | null =>
  // Only `useDraggable` gives data this field.
  (data.card as Card | undefined) ?? null;

/** Lets a card be dragged. Returns whether it is being dragged. */
export function useDraggable(element: RefObject<HTMLElement | null>, card: Card): boolean {
  const [isDragged, setDragged] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    return draggable({
      element: element.current,
      getInitialData: () => ({ card }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
  }, [element, card]);
  return isDragged;
}

/** Between which drawn cards of a column a card is dropped: before the first whose middle is below. */
function spotAt(column: HTMLElement, y: number, dragged: string): Spot {
  const cards = [...column.querySelectorAll<HTMLElement>('[data-task]')].filter(
    ({ dataset }) => dataset.task !== dragged,
  );
  const at = cards.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
  if (at === -1) return { before: cards.at(-1)?.dataset.task, after: undefined };
  return { before: cards[at - 1]?.dataset.task, after: cards[at]?.dataset.task };
}

/** Lets cards be dropped on a column. Returns whether one is held over it. */
export function useDropColumn(
  element: RefObject<HTMLElement | null>,
  onDrop: (card: Card, spot: Spot) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    return combine(
      dropTargetForElements({
        element: element.current,
        canDrop: ({ source }) => cardIn(source.data) !== null,
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source, location, self }) => {
          setOver(false);
          const card = cardIn(source.data);
          if (card === null || !(self.element instanceof HTMLElement)) return;
          onDrop(card, spotAt(self.element, location.current.input.clientY, card.task_id));
        },
      }),
    );
  }, [element, onDrop]);
  return isOver;
}
