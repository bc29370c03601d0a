import type { Run } from '../api/runs.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { BulkBar } from '../ui/table.tsx';
import { canRetry, canStop, useBulk } from './bulk.ts';
import { isBad } from './range.ts';

interface RunsBulkBarProps {
  /** All that are listed. */
  readonly runs: readonly Run[];
  readonly chosen: readonly Run[];
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

/**
 * What can be done with all runs that are selected: Retry, Stop; its link selects all failed or lost ones in place of those
 * ticked before.
 */
export function RunsBulkBar({ runs, chosen, onSelect }: RunsBulkBarProps) {
  const bulk = useBulk();
  const failed = runs.filter(isBad);
  return (
    <BulkBar
      actions={
        <>
          <Button
            size="small"
            icon="retry"
            busy={bulk.isBusy && 'Working…'}
            disabled={!chosen.some(canRetry)}
            onClick={() => bulk.retry(chosen)}
          >
            Retry
          </Button>
          <Button size="small" icon="stop" disabled={!chosen.some(canStop)} onClick={() => bulk.stop(chosen)}>
            Stop
          </Button>
          <IconButton icon="x" label="Clear the selection" keys="esc" onClick={() => onSelect(new Set())} />
        </>
      }
    >
      {chosen.length} selected{' '}
      {failed.length === 0 ? null : (
        <button
          className="link"
          type="button"
          onClick={() => onSelect(new Set(failed.map(({ execution_id }) => execution_id)))}
        >
          all failed or lost
        </button>
      )}
    </BulkBar>
  );
}
