import { clock } from '../text/time.ts';
import { evenly, lineOf, placesOf, short, topOf } from './figures.ts';

interface Line {
  readonly name: string;
  /** The class of its colour. */
  readonly look: 'c-a' | 'c-b' | 'c-c' | 'c-d';
  readonly values: readonly number[];
}

interface ChartProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly from: number;
  readonly to: number;
  /** When the values were measured; each at the same distance from the next unless given. */
  readonly times?: readonly number[];
  readonly shown?: (value: number) => string;
}

const THIRDS = [0, 1, 2, 3] as const;
const QUARTERS = [0, 1, 2, 3, 4] as const;

/** How something went over time. */
export function Chart({ title, lines, from, to, times, shown = short }: ChartProps) {
  const top = topOf(lines.flatMap(({ values }) => values));
  const now = lines.map(({ name, values }) => `${name} ${shown(values.at(-1) ?? 0)}`).join(', ');
  return (
    <figure className="chart" aria-label={`${title}: ${now}`}>
      <figcaption>
        <b>{title}</b>
        <span className="legend">
          {lines.map(({ name, look, values }) => (
            <span key={name}>
              <i className={look} />
              {name} <b>{shown(values.at(-1) ?? 0)}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <div className="plot" aria-hidden="true">
        <div className="ys">
          {THIRDS.map((third) => (
            <span key={third} style={{ bottom: `${(100 * third) / 3}%` }}>
              {third === 0 ? '0' : shown((top * third) / 3)}
            </span>
          ))}
        </div>
        <div className="area">
          {THIRDS.map((third) => (
            <i key={third} className="gl" style={{ bottom: `${(100 * third) / 3}%` }} />
          ))}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {lines.map(({ name, look, values }) => {
              if (values.length < 2) return null;
              const places = times === undefined ? evenly(values.length) : placesOf(times, from, to);
              const line = lineOf(values, places, top);
              return (
                <g key={name}>
                  <path className={`fill ${look}`} d={`${line}L${places.at(-1)} 100L${places[0]} 100Z`} />
                  <path className={`line-p ${look}`} d={line} />
                </g>
              );
            })}
          </svg>
        </div>
      </div>
      <div className="xs" aria-hidden="true">
        {QUARTERS.map((quarter) => (
          <span key={quarter}>{clock(from + ((to - from) * quarter) / 4)}</span>
        ))}
      </div>
    </figure>
  );
}
