import { duration, span, took } from '../../text/time.ts';
import { Choice } from '../../ui/choice.tsx';
import type { Times } from './spans.ts';
import './time-sum.css';

export type AxisKind = 'clock' | 'elapsed';

interface TimeSumProps {
  readonly times: Times;
  readonly axis: AxisKind;
  readonly onAxis: (axis: AxisKind) => void;
  /** Which run is shown, where there are several. */
  readonly children?: React.ReactNode;
}

/** A stopwatch shows nothing of so short a time. */
const SHORT_MS = 10_000;

const PARTS = [
  { of: 'working', look: 'work', word: 'Working' },
  { of: 'waiting', look: 'wait', word: 'Waited for you' },
  { of: 'quiet', look: 'quiet', word: 'Quiet' },
] as const;

/** Where the time of a run went: working, waiting for you, quiet; and whether the axis shows clock or elapsed time. */
export function TimeSum({ times, axis, onAxis, children }: TimeSumProps) {
  const parts = PARTS.filter(({ of }) => of === 'working' || times[of] > 0);
  const said = parts.map(({ of, word }) => `${word} ${span(times[of])}`).join(', ');
  return (
    <header className="tl-sum">
      <span className="where" role="img" aria-label={said}>
        {parts.map(({ of, look }) => (
          <i key={of} className={look} style={{ flexGrow: Math.max(1, times[of]) }} />
        ))}
      </span>
      <ul>
        {parts.map(({ of, look, word }) => (
          <li key={of}>
            <i className={look} />
            {word}
            <b>{times[of] < SHORT_MS ? took(times[of]) : duration(times[of])}</b>
          </li>
        ))}
      </ul>
      <span className="grow" />
      {children}
      <Choice
        label="Axis"
        value={axis}
        options={[
          { value: 'clock', label: 'Clock' },
          { value: 'elapsed', label: 'Elapsed' },
        ]}
        onChange={onAxis}
      />
    </header>
  );
}
