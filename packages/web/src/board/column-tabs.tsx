import type { Column } from '../api/board.ts';
import { count as inFigures, taskLook } from '../text/words.ts';
import { StatusIcon } from '../ui/status-icon.tsx';

interface ColumnTabsProps {
  readonly columns: readonly Column[];
  /** The column that is shown where there is room for one. */
  readonly current: string | undefined;
  readonly onChoose: (status: string) => void;
}

/** On a phone: the columns as tabs, one shown at a time. Which one is shown first: `board/groups.ts`. */
export function ColumnTabs({ columns, current, onChoose }: ColumnTabsProps) {
  return (
    <nav className="col-tabs" aria-label="States">
      {columns.map(({ status, name, group, count }) => (
        <button
          key={status}
          type="button"
          aria-current={status === current ? 'page' : undefined}
          onClick={() => onChoose(status)}
        >
          <StatusIcon of="task" status={taskLook({ group, state: name })} />
          {name}
          <b>{inFigures(count)}</b>
        </button>
      ))}
    </nav>
  );
}
