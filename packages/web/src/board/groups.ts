import type { Card, Column } from '../api/board.ts';
import { dayStart } from '../text/time.ts';

export interface Group {
  /** Null where the column has no groups. */
  readonly name: string | null;
  readonly cards: readonly Card[];
}

const DAY_MS = 86_400_000;

const named = (groups: readonly Group[]): readonly Group[] => groups.filter(({ cards }) => cards.length > 0);

function byReadiness(cards: readonly Card[]): readonly Group[] {
  const isBlocked = ({ blocked_by }: Card): boolean => blocked_by.length > 0;
  if (!cards.some(isBlocked)) return [{ name: null, cards }];
  return named([
    { name: 'Ready', cards: cards.filter((card) => !isBlocked(card)) },
    { name: 'Blocked', cards: cards.filter(isBlocked) },
  ]);
}

function byDay(cards: readonly Card[], now: number): readonly Group[] {
  const today = dayStart(now);
  const week = today - 6 * DAY_MS;
  const endOf = ({ completed_at, updated_at }: Card): number => Date.parse(completed_at ?? updated_at);
  return named([
    { name: 'Today', cards: cards.filter((card) => endOf(card) >= today) },
    { name: 'This week', cards: cards.filter((card) => endOf(card) >= week && endOf(card) < today) },
    { name: 'Earlier', cards: cards.filter((card) => endOf(card) < week) },
  ]);
}

/** The cards of a column by what matters there: what can begin, and what ended when. */
export function groupsOf({ group, cards }: Pick<Column, 'group' | 'cards'>, now: number): readonly Group[] {
  if (group === 'unstarted') return byReadiness(cards);
  if (group === 'completed') return byDay(cards, now);
  return [{ name: null, cards }];
}

/** Which column of several a person sees where there is room for one. */
export interface Looked {
  /** The state that the person chose. */
  readonly chosen: string | null;
  /** The state that was shown before, without a choice. */
  readonly last: string | null;
}

/**
 * The column to show: the chosen one; else one with work in it, first where agents are at work. What was shown stays as
 * long as it has cards: a card that comes elsewhere takes nothing away from under the finger.
 */
export function columnShown<Of extends Pick<Column, 'status' | 'group' | 'cards'>>(
  columns: readonly Of[],
  { chosen, last }: Looked,
): Of | undefined {
  const full = columns.filter(({ cards }) => cards.length > 0);
  return (
    columns.find(({ status }) => status === chosen) ??
    full.find(({ status }) => status === last) ??
    full.find(({ group }) => group === 'started') ??
    full[0] ??
    columns.find(({ group }) => group === 'started') ??
    columns[0]
  );
}
