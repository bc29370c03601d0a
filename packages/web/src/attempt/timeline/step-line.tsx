import { memo } from 'react';
import { duration, took } from '../../text/time.ts';
import { STEP_WORDS } from '../../text/words.ts';
import { classes } from '../../ui/classes.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { percentAt, type Scale } from './scale.ts';
import { type Span, within } from './spans.ts';
import type { StepRow } from './step-rows.ts';
import './bars.css';

const BARS = {
  planned: '',
  running: 'run',
  waiting: 'run',
  quiet: 'run',
  completed: 'done',
  failed: 'fail',
  skipped: 'skip',
} as const;

interface BarProps {
  readonly row: StepRow;
  readonly scale: Scale;
  readonly now: number;
  readonly waits: readonly Span[];
}

/** The bar of a step with its length in words: behind it, or before it where there is no room. */
function Bar({ row: { step, look }, scale, now, waits }: BarProps) {
  if (step === null) return null;
  const span: Span = {
    from: Date.parse(step.started_at),
    to: step.ended_at === null ? now : Date.parse(step.ended_at),
  };
  const [left, right] = [percentAt(scale, span.from), percentAt(scale, span.to)];
  const waited = waits.map((wait) => within(wait, span)).filter((wait) => wait !== null);
  const waitedMs = waited.reduce((all, { from, to }) => all + to - from, 0);
  const length = Math.max(1, span.to - span.from);
  const words =
    look === 'skipped'
      ? 'skipped'
      : waitedMs > length / 2
        ? `waited for you ${duration(waitedMs)}`
        : took(span.to - span.from);
  const isTail = right > 78;
  return (
    <>
      <span className={classes('tb', BARS[look])} style={{ left: `${left}%`, width: `${right - left}%` }}>
        {waited.map(({ from, to }) => (
          <i
            key={from}
            className="wait"
            style={{ left: `${((from - span.from) / length) * 100}%`, width: `${((to - from) / length) * 100}%` }}
          />
        ))}
      </span>
      <span
        className={classes('tb-t', isTail && 'tail')}
        style={isTail ? { right: `${100 - left}%` } : { left: `${right}%` }}
      >
        {words}
      </span>
    </>
  );
}

interface StepLineProps extends BarProps {
  readonly isChosen: boolean;
  readonly top: number;
  readonly height: number;
  readonly onChoose: (seq: number) => void;
}

/** A step of the timeline. */
export const StepLine = memo(function StepLine({ row, isChosen, top, height, onChoose, ...bar }: StepLineProps) {
  return (
    <button
      type="button"
      className={classes('tl-row', isChosen && 'sel', row.look === 'planned' && 'later')}
      data-testid={`timeline-step-${row.seq}`}
      aria-current={isChosen ? 'true' : undefined}
      disabled={row.step === null}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={() => onChoose(row.seq)}
    >
      <span className="tl-name">
        <StatusIcon of="step" status={row.look} />
        <span>{row.name}</span>
        <span className="sr">{STEP_WORDS[row.look]}</span>
      </span>
      <span className="tl-plot">
        <Bar row={row} {...bar} />
      </span>
    </button>
  );
});
