import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import './table.css';

export interface Column<Id extends string> {
  readonly id: Id;
  /** Empty for a column of boxes or buttons; `name` then says what it holds. */
  readonly label: ReactNode;
  readonly name?: string | undefined;
  /** In pixels; the rest share what is left. */
  readonly width?: number | undefined;
  readonly right?: boolean | undefined;
  readonly sortable?: boolean | undefined;
}

export interface Sort<Id extends string> {
  readonly by: Id;
  readonly down: boolean;
}

export interface TableProps<Id extends string> {
  /** What the table lists: its name for readers. */
  readonly label: string;
  readonly columns: readonly Column<Id>[];
  readonly sort?: Sort<Id> | undefined;
  readonly onSort?: ((by: Id) => void) | undefined;
  /** Class names beside `tbl`: each page lays its rows out for the phone by one of its own. */
  readonly className?: string | undefined;
  /** TableRow elements. */
  readonly children: ReactNode;
}

/** A table in one frame with hairlines. */
export function Table<Id extends string>(props: TableProps<Id>) {
  const { label, columns, sort, onSort, className, children } = props;
  return (
    <div className="tbl-wrap">
      <table className={classes('tbl', className)} aria-label={label}>
        <colgroup>
          {columns.map(({ id, width }) => (
            <col key={id} style={width === undefined ? undefined : { width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => {
              const sorted = sort?.by === column.id ? (sort.down ? 'descending' : 'ascending') : undefined;
              return (
                <th
                  key={column.id}
                  scope="col"
                  className={classes(column.right && 'r') || undefined}
                  aria-sort={sorted}
                >
                  {column.sortable && onSort !== undefined ? (
                    <button type="button" className="tbl-sort" onClick={() => onSort(column.id)}>
                      {column.label}
                      {sorted === undefined ? null : <Icon name={sorted === 'descending' ? 'down' : 'up'} />}
                    </button>
                  ) : (
                    column.label
                  )}
                  {column.name === undefined ? null : <span className="sr">{column.name}</span>}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export interface TableRowProps extends ComponentPropsWithRef<'tr'> {
  readonly selected?: boolean | undefined;
}

/** A row: it takes the focus of j and k, and its click opens it. */
export function TableRow({ selected, ...rest }: TableRowProps) {
  return <tr tabIndex={-1} aria-selected={selected} {...rest} />;
}

export interface BulkBarProps {
  /** As “3 selected”. */
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** What can be done with all that is selected: floats above the foot of the view. */
export function BulkBar({ children, actions }: BulkBarProps) {
  return (
    <div className="bulk" role="toolbar" aria-label="Selected">
      <b>{children}</b>
      <span className="bar-sep" />
      {actions}
    </div>
  );
}
