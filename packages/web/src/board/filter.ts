import type { Board, Card } from '../api/board.ts';
import type { PriorityLook } from '../text/words.ts';
import { isAsked, needsYou, workerOf } from './card-looks.ts';

/** The filter of a board. It is kept in the address. */
export interface BoardFilter {
  /** Words that the title or the key must have. */
  readonly q?: string;
  /** The id of an agent or executor. */
  readonly agent?: string;
  /** The id of a label. */
  readonly label?: string;
  readonly priority?: PriorityLook;
  /** Only tasks that are assigned to the person who looks. */
  readonly mine?: true;
  /** Only tasks that wait for a person. */
  readonly you?: true;
}

export const isFiltering = (filter: BoardFilter): boolean => Object.values(filter).some((value) => value !== undefined);

const FIELDS = ['q', 'agent', 'label', 'priority'] as const;

/** The filter of an address. Anything else in it is left out. */
export function filterIn(search: Readonly<Record<string, unknown>>): BoardFilter {
  const texts = FIELDS.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  const flags = (['mine', 'you'] as const).filter((name) => search[name] === true).map((name) => [name, true]);
  return Object.fromEntries([...texts, ...flags]);
}

/** Whether a card matches the filter: all words in its key or title, its agent, label, priority, mine, needs you. */
export function matches(card: Card, filter: BoardFilter, me: string | null): boolean {
  const words = filter.q?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const text = `${card.key ?? ''} ${card.title}`.toLowerCase();
  return (
    words.every((word) => text.includes(word)) &&
    (filter.agent === undefined || workerOf(card)?.id === filter.agent) &&
    (filter.label === undefined || card.labels.some(({ id }) => id === filter.label)) &&
    (filter.priority === undefined || card.priority === filter.priority) &&
    (filter.mine === undefined || card.people.some(({ id }) => id === me)) &&
    (filter.you === undefined || needsYou(card))
  );
}

/** The board with the matching cards. Each column counts its matching cards, as far as it was read. */
export function filtered(board: Board, filter: BoardFilter, me: string | null): Board {
  if (!isFiltering(filter)) return board;
  return {
    ...board,
    columns: board.columns.map((column) => {
      const cards = column.cards.filter((card) => matches(card, filter, me));
      return { ...column, cards, count: cards.length };
    }),
  };
}

interface Choice {
  readonly id: string;
  readonly name: string;
}

/** What a filter can be set to: what the cards of the board have. */
export function choicesOf(board: Board): { readonly agents: readonly Choice[]; readonly labels: readonly Choice[] } {
  const cards = board.columns.flatMap((column) => column.cards);
  const unique = (all: readonly Choice[]): readonly Choice[] =>
    [...new Map(all.map((each) => [each.id, each])).values()].toSorted((a, b) => a.name.localeCompare(b.name));
  return {
    agents: unique(cards.flatMap((card) => workerOf(card) ?? [])),
    labels: unique(cards.flatMap(({ labels }) => labels)),
  };
}

/** The cards of a column with those that wait for an answer back where people left them: the server puts them first. */
function settled(cards: readonly Card[]): Card[] {
  const placed = cards.filter((card) => !isAsked(card));
  for (const card of cards.filter(isAsked)) {
    const at = placed.findIndex(({ sort_order }) => sort_order > card.sort_order);
    placed.splice(at === -1 ? placed.length : at, 0, card);
  }
  return placed;
}

/** The board without floating cards. A column without any stays the same object: it is not drawn again. */
export function withoutFloating(board: Board): Board {
  const columns = board.columns.map((column) =>
    column.cards.some(isAsked) ? { ...column, cards: settled(column.cards) } : column,
  );
  return { ...board, columns };
}

export const waitingFor = (board: Board): number => board.columns.flatMap(({ cards }) => cards).filter(needsYou).length;
