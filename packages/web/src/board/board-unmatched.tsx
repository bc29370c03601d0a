import { plural } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

interface BoardUnmatchedProps {
  /** How many tasks there are. */
  readonly hidden: number;
  readonly onClear: () => void;
}

/** A board whose filters hide every task: says so, and undoes it. */
export function BoardUnmatched({ hidden, onClear }: BoardUnmatchedProps) {
  return (
    <div className="page">
      <Empty
        icon="filter"
        title="No task matches"
        actions={
          <Button size="small" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        {`${plural(hidden, 'task')} ${hidden === 1 ? 'is' : 'are'} hidden by these filters.`}
      </Empty>
    </div>
  );
}
