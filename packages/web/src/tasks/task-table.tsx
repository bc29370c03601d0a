import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { count } from '../text/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { type Column, type Sort, Table } from '../ui/table.tsx';
import type { Item, Row, SortBy } from './rows.ts';
import { TaskRow } from './task-row.tsx';
import { useTableKeys } from './use-table-keys.ts';

const ROW_HEIGHT = 36;

type ColumnId = SortBy | 'pick' | 'labels';

interface TaskTableProps {
  readonly items: readonly Item[];
  readonly scroller: HTMLElement | null;
  readonly sort: Sort<SortBy> | undefined;
  readonly selected: ReadonlySet<string>;
  readonly onSort: (by: SortBy) => void;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onToggle: (task: string) => void;
  readonly onOpen: (row: Row) => void;
  readonly onMove: (row: Row, anchor: Element) => void;
}

interface GapProps {
  readonly height: number;
}

/** The room of rows that are not drawn. */
const Gap = ({ height }: GapProps) =>
  height <= 0 ? null : (
    <tr className="gap" aria-hidden="true">
      <td colSpan={9} style={{ height }} />
    </tr>
  );

/** The tasks in rows, of which only those in view are drawn. */
export function TaskTable(props: TaskTableProps) {
  const { items, scroller, sort, selected, onSort, onSelect, onToggle, onOpen, onMove } = props;
  const head = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (at) => items[at]?.id ?? at,
    overscan: 12,
    // The head stays in view above the rows.
    scrollPaddingStart: ROW_HEIGHT,
    scrollPaddingEnd: 2 * ROW_HEIGHT,
  });
  useTableKeys({ items, element: head, selected, onSelect, onOpen, onMove, show: (at) => virtual.scrollToIndex(at) });

  const tasks = new Set(items.flatMap((item) => (item.kind === 'row' ? [item.row.card.task_id] : [])));
  const chosen = [...tasks].filter((task) => selected.has(task)).length;
  const all = chosen === 0 ? false : chosen === tasks.size ? true : 'some';
  const columns: readonly Column<ColumnId>[] = [
    {
      id: 'pick',
      label: <Checkbox checked={all} label="Select all" onChange={(on) => onSelect(on ? tasks : new Set())} />,
      width: 40,
    },
    { id: 'key', label: 'Key', width: 96, sortable: true },
    { id: 'title', label: 'Title', sortable: true },
    { id: 'state', label: 'State', width: 136, sortable: true },
    { id: 'priority', label: 'Priority', width: 124, sortable: true },
    { id: 'agent', label: 'Agent', width: 132, sortable: true },
    { id: 'labels', label: 'Labels', width: 168 },
    { id: 'due', label: 'Due', width: 100, sortable: true },
    { id: 'updated', label: 'Changed', width: 92, right: true, sortable: true },
  ];
  const seen = virtual.getVirtualItems();
  return (
    <div ref={head}>
      <Table
        label="Tasks"
        className="tasks"
        columns={columns}
        sort={sort}
        onSort={(by) => (by === 'pick' || by === 'labels' ? undefined : onSort(by))}
      >
        <Gap height={seen[0]?.start ?? 0} />
        {seen.map(({ key, index }) => {
          const item = items[index];
          if (item === undefined) return null;
          return item.kind === 'head' ? (
            <tr key={key} ref={virtual.measureElement} data-index={index} className="group-row">
              <th colSpan={9} scope="rowgroup">
                {item.name} <span className="num">{count(item.count)}</span>
              </th>
            </tr>
          ) : (
            <TaskRow
              key={key}
              id={item.id}
              index={index}
              row={item.row}
              selected={selected.has(item.row.card.task_id)}
              measure={virtual.measureElement}
              onToggle={onToggle}
              onOpen={onOpen}
            />
          );
        })}
        <Gap height={virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)} />
      </Table>
    </div>
  );
}
