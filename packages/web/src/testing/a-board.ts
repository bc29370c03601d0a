import type { Board, Card, Column } from '../api/board.ts';

const TIME = '2026-01-02T03:04:05.000Z';

/** A task of a board without anything special. */
export function aCard(key: string, facts: Partial<Card> = {}): Card {
  return {
    task_id: key,
    key,
    title: key,
    priority: 'none',
    is_ready: true,
    sort_order: 1,
    created_at: TIME,
    updated_at: TIME,
    completed_at: null,
    target_date: null,
    labels: [],
    people: [],
    criteria: { done: 0, total: 0 },
    children: { done: 0, total: 0 },
    blocked_by: [],
    unread_messages: 0,
    claim: null,
    attempt: null,
    run: null,
    question: null,
    needs: null,
    ...facts,
  };
}

type Group = Column['group'];

export const aColumn = (status: string, cards: readonly Card[], group: Group = 'unstarted'): Column => ({
  status,
  name: status,
  group,
  count: cards.length,
  cards: [...cards],
});

/** A board with these columns. What else a board has is left out: the tested functions do not read it. */
export const aBoard = (...columns: readonly Column[]): Board => ({ columns: [...columns] }) as unknown as Board;
