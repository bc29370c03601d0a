import { memo } from 'react';
import { type Answer, answersTo } from '../api/answers.ts';
import { idOf, type InboxRow as Row } from '../api/inbox.ts';
import { shortAge } from '../text/time.ts';
import { plural } from '../text/words.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { classes } from '../ui/classes.ts';
import { Diffstat } from '../ui/diffstat.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { Kind } from '../ui/kind.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { pageClock, useClock } from '../ui/use-clock.ts';
import { LOOKS, lineOf, ticksOf } from './kinds.ts';

interface InboxRowProps {
  readonly row: Row;
  readonly current: boolean;
  readonly selected: boolean;
  readonly onOpen: (row: Row) => void;
  readonly onSelect: (row: Row) => void;
  readonly onAnswer: (row: Row, answer: Answer) => void;
}

/** The line of a review shows its lines of code in their colours. */
function Line({ row: { review }, children }: { readonly row: Row; readonly children: string }) {
  if (review === null || review.files === 0) return children;
  const ticks = ticksOf(review);
  return (
    <>
      Ready to read: <Diffstat added={review.added} removed={review.removed} /> in {plural(review.files, 'file')}
      {ticks === '' ? '' : `, ${ticks}`}
    </>
  );
}

/** Something that needs a person, in two lines. On a phone it has its answers with it. */
export const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { row, current, selected, onOpen, onSelect, onAnswer } = props;
  const { kind, by, task_key, title, since } = row;
  const look = LOOKS[kind];
  const line = useClock((now) => lineOf(row, now));
  const name = task_key ?? title ?? look.one;
  const main = kind === 'permission' ? answersTo(row).filter(({ key }) => key === 'a' || key === 'd') : [];
  return (
    <li
      className={classes('ib', current && 'sel on-tint', selected && 'picked')}
      aria-current={current || undefined}
      data-testid={row.approval_id === null ? undefined : `approval-${row.approval_id}`}
    >
      <span className="ib-pick">
        <Checkbox checked={selected} onChange={() => onSelect(row)} label={`Select ${name}`} />
      </span>
      {by === null ? <span className="who" /> : <AgentTile id={by.id} name={by.name} size={28} />}
      <div className="ib-b">
        <p className="ib-top">
          <Kind tone={look.tone} icon={look.icon}>
            {look.one}
          </Kind>
          <span className="ib-task">
            {task_key === null ? null : <KeyLabel value={task_key} />} {title}
          </span>
          <RelativeTime at={since} as="row" since="since" />
        </p>
        <button
          type="button"
          className="ib-q"
          data-row={idOf(row)}
          aria-label={`${look.one}, ${name}: ${line}, ${shortAge(since, pageClock.now())}`}
          onClick={() => onOpen(row)}
        >
          {kind === 'failed' || kind === 'job' ? <code>{line}</code> : <Line row={row}>{line}</Line>}
        </button>
        {main.length === 0 ? null : (
          <p className="ib-acts">
            {main.map((answer) => (
              <Button
                key={answer.key}
                size="small"
                kind={answer.key === 'a' ? 'primary' : 'normal'}
                onClick={() => onAnswer(row, answer)}
              >
                {answer.name}
              </Button>
            ))}
            <Button size="small" kind="plain" onClick={() => onOpen(row)}>
              Reply
            </Button>
          </p>
        )}
      </div>
    </li>
  );
});
