import { ago, clock, duration, exact, isoOf, longAge, type Moment, millis, shortAge } from '../text/time.ts';
import { useClock } from './use-clock.ts';

const WRITTEN = {
  card: shortAge,
  row: longAge,
  sentence: ago,
  clock: (at: Moment) => clock(at),
} as const;

export interface RelativeTimeProps {
  readonly at: Moment;
  /** Card: 12m. Row: 12 min. Sentence: 12 min ago. Clock: 14:09. */
  readonly as?: 'card' | 'row' | 'sentence' | 'clock' | undefined;
  /** Before the exact time on hover, as “in this state since”. */
  readonly since?: string | undefined;
  readonly className?: string | undefined;
}

/** A time as people say it, with the exact one on hover. It keeps up by itself. */
export function RelativeTime({ at, as = 'card', since, className }: RelativeTimeProps) {
  const text = useClock((now) => WRITTEN[as](at, now));
  return (
    <time className={className} dateTime={isoOf(at)} title={since === undefined ? exact(at) : `${since} ${exact(at)}`}>
      {text}
    </time>
  );
}

export interface ElapsedProps {
  readonly from: Moment;
  /** When it ended; without it the time runs on. */
  readonly to?: Moment | undefined;
  readonly className?: string | undefined;
}

/** How long something took or has been going on: 12:41. */
export function Elapsed({ from, to, className }: ElapsedProps) {
  const text = useClock((now) => duration(millis(to ?? now) - millis(from)), to === undefined ? 'second' : 'minute');
  return (
    <time className={className} dateTime={isoOf(from)} title={`since ${exact(from)}`}>
      {text}
    </time>
  );
}
