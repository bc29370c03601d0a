import { memo } from 'react';
import { barOf, type Run, workerOf } from '../api/runs.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Diffstat } from '../ui/diffstat.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { Elapsed, RelativeTime } from '../ui/relative-time.tsx';
import { RunStatus } from '../ui/status-icon.tsx';
import { StepBar } from '../ui/step-bar.tsx';
import { TableRow } from '../ui/table.tsx';
import { lookOf } from './filter.ts';

interface RunRowProps {
  readonly run: Run;
  readonly selected: boolean;
  readonly onOpen: (run: Run) => void;
  readonly onToggle: (run: Run) => void;
}

/** A run as one line of the list of runs: its status, task, agent, steps, how long it took, and its cost. */
export const RunRow = memo(function RunRow({ run, selected, onOpen, onToggle }: RunRowProps) {
  const worker = workerOf(run);
  const look = lookOf(run);
  const bar = barOf(run);
  const cost = run.usage?.cost_usd;
  const nth = run.attempt_key?.split('.').at(-1);
  const name = run.attempt_key ?? run.task_key ?? run.name ?? 'run';
  return (
    <TableRow
      selected={selected}
      data-row={run.execution_id}
      data-testid={`run-${run.attempt_key ?? run.execution_id}`}
      onClick={() => onOpen(run)}
    >
      <td className="pick">
        <Checkbox checked={selected} label={`Select ${name}`} onChange={() => onToggle(run)} />
      </td>
      <td title={run.reason ?? undefined}>
        <RunStatus status={look} />
      </td>
      <td>
        <span className="runtask">
          {run.task_key === null ? null : <KeyLabel value={run.task_key} />}
          <span className="ell">{run.title ?? run.name ?? 'Without a task'}</span>
          {nth === undefined ? null : <span className="faint nth">attempt {nth}</span>}
        </span>
      </td>
      <td>
        <span className="cell mini">
          <AgentTile id={worker.id} name={worker.name} detail={run.client ?? undefined} silent />
          <span className="ell">{worker.name}</span>
        </span>
      </td>
      <td title={run.step ?? undefined}>
        {bar === null ? <span className="faint">none</span> : <StepBar steps={bar} counted />}
      </td>
      <td className="num r quiet">
        <RelativeTime at={run.started_at} as="clock" since="began" />
      </td>
      <td className="num r">
        {run.status === 'queued' ? (
          <span className="faint">waits</span>
        ) : (
          <Elapsed from={run.started_at} to={run.ended_at ?? undefined} />
        )}
      </td>
      <td className="num r" title={cost === undefined ? undefined : `Cost: $${cost.toFixed(2)}`}>
        {run.added + run.removed === 0 ? (
          <span className="faint">none</span>
        ) : (
          <Diffstat added={run.added} removed={run.removed} />
        )}
      </td>
    </TableRow>
  );
});
