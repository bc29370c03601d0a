import type { Run } from '../api/runs.ts';
import { count } from '../text/words.ts';
import { pageClock, useClock } from '../ui/use-clock.ts';
import { barsOf, RANGES, type Range, ticksOf } from './range.ts';
import './runs-chart.css';

const WIDTH = 1_184;
/** The tallest bar ends at the upper line. */
const ABOVE = 40;
const BELOW = 18;
const BASE = 65.5;

interface RunsChartProps {
  readonly runs: readonly Run[];
  readonly range: Range;
}

/** How many runs began when, and how they ended: completed and open ones above the line, failed or lost ones below. */
export function RunsChart({ runs, range }: RunsChartProps) {
  // Drawn again each minute: the bars move with the time.
  useClock((now) => Math.floor(now / 60_000));
  const now = pageClock.now();
  const bars = barsOf(runs, range, now);
  const sum = (kind: 'ok' | 'now' | 'bad') => bars.reduce((all, bar) => all + bar[kind], 0);
  const tallest = Math.max(4, ...bars.map(({ ok, now: open }) => ok + open));
  const deepest = Math.max(3, ...bars.map(({ bad }) => bad));
  const step = WIDTH / bars.length;
  const says = `Runs of the last ${RANGES[range].label}: ${sum('ok')} completed, ${sum('now')} open, ${sum('bad')} failed or lost`;
  return (
    <figure className="histbox">
      <figcaption>
        <span>
          <i className="ok" />
          Completed <b>{count(sum('ok'))}</b>
        </span>
        <span>
          <i className="now" />
          Running <b>{count(sum('now'))}</b>
        </span>
        <span>
          <i className="bad" />
          Failed or lost, below the line <b>{count(sum('bad'))}</b>
        </span>
      </figcaption>
      <svg className="hist" viewBox={`0 0 ${WIDTH} 92`} preserveAspectRatio="none" role="img" aria-label={says}>
        <line x1="0" x2={WIDTH} y1="24" y2="24" className="grid" />
        <line x1="0" x2={WIDTH} y1="44" y2="44" className="grid" />
        {bars.map((bar, at) => {
          const ok = (bar.ok / tallest) * ABOVE;
          const open = (bar.now / tallest) * ABOVE;
          const bad = (bar.bad / deepest) * BELOW;
          const place = { x: at * step + 2, width: step - 4, rx: 1.5 };
          return (
            <g key={at}>
              {ok > 0 ? <rect className="ok" {...place} y={64 - ok} height={ok} /> : null}
              {open > 0 ? (
                <rect className="now" {...place} y={64 - ok - open - (ok > 0 ? 1.5 : 0)} height={open} />
              ) : null}
              {bad > 0 ? <rect className="bad" {...place} y={67} height={bad} /> : null}
            </g>
          );
        })}
        <line x1="0" x2={WIDTH} y1={BASE} y2={BASE} className="base" />
      </svg>
      <div className="histx" aria-hidden="true">
        {ticksOf(range, now).map((tick, at) => (
          <span key={at}>{tick}</span>
        ))}
      </div>
    </figure>
  );
}
