import { memo } from 'react';
import { plural, type StepLook } from '../text/words.ts';
import { classes } from './classes.ts';
import { progressOf, type StepCounts, segmentsOf } from './step-segments.ts';
import './step-bar.css';

export interface StepBarProps {
  /** The steps in order, or how many there are of each kind. */
  readonly steps: readonly StepLook[] | StepCounts;
  /** 6 high instead of 4. */
  readonly big?: boolean | undefined;
  /** Writes 7/10 beside the bar. */
  readonly counted?: boolean | undefined;
}

const LOOKS: Readonly<Record<StepLook, string | undefined>> = {
  planned: undefined,
  running: 'run',
  waiting: 'wait',
  completed: 'done',
  failed: 'fail',
  skipped: 'skip',
  quiet: 'quiet',
};

/** One segment a step; the texture says its state without colour. */
export const StepBar = memo(function StepBar({ steps, big, counted }: StepBarProps) {
  const { ended, all } = progressOf(steps);
  const segments = segmentsOf(steps);
  const bar = (
    <span
      className={classes('steps', big && 'big', segments.some(({ weight }) => weight !== 1) && 'whole')}
      role="img"
      aria-label={`${ended} of ${plural(all, 'step')} finished`}
    >
      {segments.map(({ look, weight }, at) => (
        <i
          key={at}
          className={classes(LOOKS[look], weight === undefined && 'now')}
          style={weight === undefined || weight === 1 ? undefined : { flexGrow: weight }}
        />
      ))}
    </span>
  );
  return counted ? (
    <span className="steps-n">
      {bar}
      <span className="num" aria-hidden="true">
        {ended}/{all}
      </span>
    </span>
  ) : (
    bar
  );
});
