import { expect, it } from 'vitest';
import { aCard, aColumn } from '../testing/a-board.ts';
import { firstOf, itemsOf } from './column-items.ts';
import { columnShown, groupsOf } from './groups.ts';

const NOON = new Date(2026, 0, 15, 12).getTime();
const hoursAgo = (hours: number): string => new Date(NOON - hours * 3_600_000).toISOString();
const BLOCKER = 'A-9';

const shown = (groups: ReturnType<typeof groupsOf>) =>
  groups.map(({ name, cards }) => [name, cards.map(({ key }) => key)]);

it('separates ready tasks from blocked ones, where there are blocked ones', () => {
  const ready = aCard('A-1');
  const blocked = aCard('A-2', { blocked_by: [BLOCKER] });

  expect(shown(groupsOf(aColumn('todo', [blocked, ready]), NOON))).toEqual([
    ['Ready', ['A-1']],
    ['Blocked', ['A-2']],
  ]);
  expect(shown(groupsOf(aColumn('todo', [ready]), NOON))).toEqual([[null, ['A-1']]]);
});

it('groups ended tasks by the day of their end', () => {
  const cards = [
    aCard('A-1', { completed_at: hoursAgo(11) }),
    aCard('A-2', { completed_at: hoursAgo(13) }),
    aCard('A-3', { completed_at: hoursAgo(24 * 7) }),
  ];

  expect(shown(groupsOf(aColumn('done', cards, 'completed'), NOON))).toEqual([
    ['Today', ['A-1']],
    ['This week', ['A-2']],
    ['Earlier', ['A-3']],
  ]);
});

it('joins ended tasks: in one stack of a short column, row by row of a long one', () => {
  const ended = (count: number) =>
    Array.from({ length: count }, (_, at) => aCard(`A-${at}`, { completed_at: hoursAgo(1) }));

  const short = itemsOf(aColumn('done', ended(3), 'completed'), NOON);
  const long = itemsOf(aColumn('done', ended(60), 'completed'), NOON);

  expect(short.map((item) => (item.kind === 'stack' ? item.cards.length : item.kind))).toEqual(['head', 3]);
  const ends = long.flatMap((item) => (item.kind === 'row' ? [[item.isFirst, item.isLast]] : []));
  expect(ends).toHaveLength(60);
  expect([ends[0], ends[30], ends[59]]).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
  expect(new Set(long.map(({ id }) => id)).size).toBe(61);
});

it('begins a column of ended tasks with eleven of them, and counts all of each group', () => {
  const cards = Array.from({ length: 60 }, (_, at) => aCard(`A-${at}`, { completed_at: hoursAgo(at < 4 ? 1 : 30) }));
  const done = aColumn('done', cards, 'completed');

  const items = itemsOf(done, NOON, firstOf(done));

  expect(items.map((item) => (item.kind === 'head' ? `${item.name} ${item.count}` : item.kind))).toEqual([
    'Today 4',
    'stack',
    'This week 56',
    'stack',
  ]);
  expect(items.flatMap((item) => (item.kind === 'stack' ? item.cards : []))).toEqual(cards.slice(0, 11));
  expect(itemsOf(done, NOON, 3).map(({ id }) => id)).toEqual(['head-Today', 'stack-Today']);
  expect(firstOf(aColumn('todo', cards))).toBe(60);
});

const someColumns = (cards: Readonly<Record<string, number>>) =>
  (
    [
      ['todo', 'unstarted'],
      ['doing', 'started'],
      ['review', 'started'],
      ['done', 'completed'],
    ] as const
  ).map(([status, group]) =>
    aColumn(
      status,
      Array.from({ length: cards[status] ?? 0 }, (_, at) => aCard(`${status}-${at}`)),
      group,
    ),
  );

it.each([
  ['the first started one with cards', { todo: 2, review: 1, done: 1 }, {}, 'review'],
  ['the first with cards when nothing is started', { todo: 2, done: 1 }, {}, 'todo'],
  ['the first started one of an empty board', {}, {}, 'doing'],
  ['the chosen one, also without cards', { todo: 2 }, { chosen: 'done' }, 'done'],
  ['what was shown, when a card comes elsewhere', { todo: 2, doing: 1 }, { last: 'todo' }, 'todo'],
  ['another, when what was shown has no card left', { done: 1 }, { last: 'doing' }, 'done'],
])('shows a phone %s', (_, cards, looked, status) => {
  expect(columnShown(someColumns(cards), { chosen: null, last: null, ...looked })?.status).toBe(status);
});
