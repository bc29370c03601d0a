import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { hasFailed, isAsked, isToRead, workerOf } from '../board/card-looks.ts';
import { day } from '../text/time.ts';
import { PRIORITY_WORDS, taskLook } from '../text/words.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Badge } from '../ui/badge.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { LabelTag } from '../ui/meta.tsx';
import { PriorityIcon } from '../ui/priority-icon.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { TableRow } from '../ui/table.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { nameOf, type Row } from './rows.ts';
import '../ui/key-label.css';

interface TaskRowProps {
  readonly id: string;
  readonly index: number;
  readonly row: Row;
  readonly selected: boolean;
  readonly measure: (element: Element | null) => void;
  readonly onToggle: (task: string) => void;
  readonly onOpen: (row: Row) => void;
}

/**
 * A task as one line of the table of tasks: state, priority (its word paler when there is none), agent, labels, due date,
 * and the badges Needs you, Review and Failed.
 */
export const TaskRow = memo(function TaskRow({ id, index, row, selected, measure, onToggle, onOpen }: TaskRowProps) {
  const { card, column } = row;
  const worker = workerOf(card);
  const key = card.key ?? card.task_id.slice(0, 8);
  const look = taskLook({ group: column.group, state: column.name, ready: card.is_ready });
  return (
    <TableRow
      ref={measure}
      data-index={index}
      data-row={id}
      data-testid={`row-${key}`}
      selected={selected}
      onClick={() => onOpen(row)}
    >
      <td className="pick">
        <Checkbox checked={selected} label={`Select ${key}`} onChange={() => onToggle(card.task_id)} />
      </td>
      <td className="c-key">
        <Link className="key" to="/t/$key" params={{ key: nameOf(row) }} onClick={(event) => event.stopPropagation()}>
          {key}
        </Link>
      </td>
      <td className="c-title">
        <span className="cell">
          <span className="ell">{card.title}</span>
          {isAsked(card) ? (
            <Badge tone="you" icon="hand">
              Needs you
            </Badge>
          ) : null}
          {isToRead(card) ? (
            <Badge tone="review" icon="eye">
              Review
            </Badge>
          ) : null}
          {hasFailed(card) ? (
            <Badge tone="fail" icon="alert">
              Failed
            </Badge>
          ) : null}
        </span>
      </td>
      <td className="c-state">
        <span className="cell">
          <StatusIcon of="task" status={look} />
          {column.name}
        </span>
      </td>
      <td className="c-priority">
        <span className="cell">
          <PriorityIcon priority={card.priority} />
          <span className={card.priority === 'none' ? 'faint' : 'quiet'}>{PRIORITY_WORDS[card.priority]}</span>
        </span>
      </td>
      <td className="c-agent">
        {worker === null ? null : (
          <span className="cell">
            <AgentTile id={worker.id} name={worker.name} silent />
            {worker.name}
          </span>
        )}
      </td>
      <td className="c-labels">
        <span className="cell">
          {card.labels.map((label) => (
            <LabelTag key={label.id} id={label.id} name={label.name} />
          ))}
        </span>
      </td>
      <td className="c-due quiet num">
        {card.target_date === null ? null : day(`${card.target_date}T00:00`, pageClock.now())}
      </td>
      <td className="c-updated r quiet num">
        <RelativeTime at={card.updated_at} since="changed" />
      </td>
    </TableRow>
  );
});
