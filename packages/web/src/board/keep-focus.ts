import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Keeps the focus on a card that goes to another column: there it is a new element, and keys would begin at the first card
 * again. Returns a function that says which card has the focus next.
 */
export function useKeepFocus(board: RefObject<HTMLElement | null>, shown: unknown) {
  const last = useRef<string | null>(null);

  useEffect(() => {
    const see = (event: FocusEvent) => {
      const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-task]') : null;
      if (card !== null && board.current?.contains(card)) last.current = card.dataset.task ?? null;
    };
    const forget = () => {
      last.current = null;
    };
    document.addEventListener('focusin', see);
    // Who presses the mouse anywhere has left the card.
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('focusin', see);
      document.removeEventListener('pointerdown', forget);
    };
  }, [board]);

  const cardOf = useCallback(
    (task: string | null) => board.current?.querySelector<HTMLElement>(`[data-task="${task ?? ''}"]`) ?? null,
    [board],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new board may have the card elsewhere.
  useEffect(() => {
    if (document.activeElement === document.body && last.current !== null) cardOf(last.current)?.focus();
  }, [shown, cardOf]);

  return { lastCard: () => cardOf(last.current) };
}
