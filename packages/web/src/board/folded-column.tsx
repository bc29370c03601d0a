import type { Column } from '../api/board.ts';
import { count as inFigures, taskLook } from '../text/words.ts';
import { StatusIcon } from '../ui/status-icon.tsx';

interface FoldedColumnProps {
  readonly column: Column;
  /** The person has just folded it: the focus goes on here. */
  readonly isFresh: boolean;
  readonly onUnfold: () => void;
}

/** A column folded to its name and count. Which ones are: `board/board-page.tsx`. */
export function FoldedColumn({ column, isFresh, onUnfold }: FoldedColumnProps) {
  const { name, group, count } = column;
  return (
    <button
      className="col-folded"
      type="button"
      aria-expanded="false"
      title={`Unfold ${name}`}
      // biome-ignore lint/a11y/noAutofocus: the button of the column that had the focus is gone.
      autoFocus={isFresh}
      onClick={onUnfold}
    >
      <StatusIcon of="task" status={taskLook({ group, state: name })} />
      <span>{name}</span>
      <b>{inFigures(count)}</b>
    </button>
  );
}
