import type { Column } from '../api/board.ts';
import { count as inFigures, taskLook } from '../text/words.ts';
import { StatusIcon } from '../ui/status-icon.tsx';

interface FoldedColumnProps {
  readonly column: Column;
  readonly onUnfold: () => void;
}

/** A column folded to its name and count. Which ones are: `board/board-page.tsx`. */
export function FoldedColumn({ column, onUnfold }: FoldedColumnProps) {
  const { name, group, count } = column;
  return (
    <button className="col-folded" type="button" aria-expanded="false" title={`Unfold ${name}`} onClick={onUnfold}>
      <StatusIcon of="task" status={taskLook({ group, state: name })} />
      <span>{name}</span>
      <b>{inFigures(count)}</b>
    </button>
  );
}
