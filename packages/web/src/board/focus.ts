/** The cards that are on the page, by column, in the order in which they are seen. */
function columnsOf(board: HTMLElement): readonly (readonly HTMLElement[])[] {
  return [...board.querySelectorAll<HTMLElement>('.col')]
    .map((column) => [...column.querySelectorAll<HTMLElement>('[data-task]')])
    .filter((cards) => cards.length > 0);
}

export type Direction = 'up' | 'down' | 'left' | 'right';

/** Moves the focus from card to card. Without a focused card, the first one gets it. */
export function moveFocus(board: HTMLElement, direction: Direction): void {
  const columns = columnsOf(board);
  const focused = focusedCard(board);
  const x = columns.findIndex((cards) => focused !== null && cards.includes(focused));
  if (x === -1 || focused === null) {
    columns[0]?.[0]?.focus();
    return;
  }
  const y = columns[x]?.indexOf(focused) ?? 0;
  const step = direction === 'down' || direction === 'right' ? 1 : -1;
  const isAcross = direction === 'left' || direction === 'right';
  const column = columns[isAcross ? x + step : x];
  const card = column?.[isAcross ? Math.min(y, column.length - 1) : y + step];
  card?.focus();
  card?.scrollIntoView({ block: 'nearest' });
}

/** The card that a key is meant for: that with the focus, or else the one under the mouse. */
export const meantCard = (board: HTMLElement | null): HTMLElement | null =>
  focusedCard(board) ?? board?.querySelector<HTMLElement>('[data-task]:hover') ?? null;

/** The card that has the focus, or has what has it. */
export function focusedCard(board: HTMLElement | null): HTMLElement | null {
  const card = document.activeElement?.closest<HTMLElement>('[data-task]') ?? null;
  return card !== null && board?.contains(card) ? card : null;
}
