import type { Board, Card, Column } from '../api/board.ts';
import { workerOf } from '../board/card-looks.ts';
import { namesIn, PRIORITY_WORDS } from '../text/words.ts';

/** A task with the state that it is in. */
export interface Row {
  readonly card: Card;
  readonly column: Column;
  /** The place of its state on the board. */
  readonly at: number;
}

/** What a task is called in addresses. */
export const nameOf = ({ card }: Row): string => card.key ?? card.task_id;

/** The columns that the table of tasks can be sorted by. */
export const SORTS = ['key', 'title', 'state', 'priority', 'agent', 'due', 'updated'] as const;
export type SortBy = (typeof SORTS)[number];

export const GROUPS = { state: 'State', priority: 'Priority', agent: 'Agent', label: 'Label' } as const;
export type GroupBy = keyof typeof GROUPS;

const PRIORITIES = namesIn(PRIORITY_WORDS);

/** The tasks in the order of the board: by state, and in each state as people left them. */
export const rowsOf = ({ columns }: Pick<Board, 'columns'>): readonly Row[] =>
  columns.flatMap((column, at) => column.cards.map((card) => ({ card, column, at })));

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

type Value = string | number | null;

const VALUES: Readonly<Record<SortBy, (row: Row) => Value>> = {
  key: ({ card }) => card.key,
  title: ({ card }) => card.title,
  state: ({ at }) => at,
  priority: ({ card }) => PRIORITIES.indexOf(card.priority),
  agent: ({ card }) => workerOf(card)?.name ?? null,
  due: ({ card }) => card.target_date,
  updated: ({ card }) => Date.parse(card.updated_at),
};

function compare(a: Value, b: Value): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
}

/** The rows by one column. Rows without a value come last, whichever way it is sorted; equal ones stay as they are. */
export function sorted(rows: readonly Row[], by: SortBy, down: boolean): readonly Row[] {
  const value = VALUES[by];
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return down ? compare(b, a) : compare(a, b);
  });
}

export type Item =
  | { readonly kind: 'head'; readonly id: string; readonly name: string; readonly count: number }
  | { readonly kind: 'row'; readonly id: string; readonly row: Row };

interface Group {
  readonly id: string;
  readonly name: string;
  /** Its place among the groups; groups with the same are in the order of their names. */
  readonly at: number;
}

const NO_AGENT: Group = { id: 'none', name: 'No agent', at: 1 };
const NO_LABEL: Group = { id: 'none', name: 'No label', at: 1 };

/** The groups of a row. A task with two labels is in the groups of both. */
const GROUPS_OF: Readonly<Record<GroupBy, (row: Row) => readonly Group[]>> = {
  state: ({ column, at }) => [{ id: column.status, name: column.name, at }],
  priority: ({ card: { priority } }) => [
    { id: priority, name: PRIORITY_WORDS[priority], at: PRIORITIES.indexOf(priority) },
  ],
  agent: ({ card }) => {
    const worker = workerOf(card);
    return [worker === null ? NO_AGENT : { ...worker, at: 0 }];
  },
  label: ({ card: { labels } }) => (labels.length === 0 ? [NO_LABEL] : labels.map((label) => ({ ...label, at: 0 }))),
};

/** What the table draws: the rows, or each group with its head. */
export function itemsOf(rows: readonly Row[], by: GroupBy | undefined): readonly Item[] {
  if (by === undefined) return rows.map((row) => ({ kind: 'row', id: row.card.task_id, row }));
  const groups = new Map<string, { readonly group: Group; readonly rows: Row[] }>();
  for (const row of rows) {
    for (const group of GROUPS_OF[by](row)) {
      const known = groups.get(group.id);
      if (known === undefined) groups.set(group.id, { group, rows: [row] });
      else known.rows.push(row);
    }
  }
  return [...groups.values()]
    .toSorted((a, b) => a.group.at - b.group.at || words.compare(a.group.name, b.group.name))
    .flatMap(({ group: { id, name }, rows: own }): readonly Item[] => [
      { kind: 'head', id, name, count: own.length },
      ...own.map((row) => ({ kind: 'row' as const, id: `${id}/${row.card.task_id}`, row })),
    ]);
}
