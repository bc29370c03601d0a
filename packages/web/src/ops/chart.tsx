import { clock } from '../text/time.ts';
import { lineOf, topOf } from './figures.ts';

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
  readonly unit?: string;
}

const THIRDS = [0, 1, 2, 3] as const;
const QUARTERS = [0, 1, 2, 3, 4] as const;

const shown = (value: number, unit: string): string =>
  `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${unit}`;

/** How something went since the page was opened. */
export function Chart({ title, lines, from, to, unit = '' }: ChartProps) {
  const top = topOf(lines.flatMap(({ values }) => values));
  const now = lines.map(({ name, values }) => `${name} ${shown(values.at(-1) ?? 0, unit)}`).join(', ');
  return (
    <figure className="chart" aria-label={`${title}: ${now}`}>
      <figcaption>
        <b>{title}</b>
        <span className="legend">
          {lines.map(({ name, look, values }) => (
            <span key={name}>
              <i className={look} />
              {name} <b>{shown(values.at(-1) ?? 0, unit)}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <div className="plot" aria-hidden="true">
        <div className="ys">
          {THIRDS.map((third) => (
            <span key={third} style={{ bottom: `${(100 * third) / 3}%` }}>
              {shown((top * third) / 3, unit)}
            </span>
          ))}
        </div>
        <div className="area">
          {THIRDS.map((third) => (
            <i key={third} className="gl" style={{ bottom: `${(100 * third) / 3}%` }} />
          ))}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {lines.map(({ name, look, values }) =>
              values.length < 2 ? null : (
                <g key={name}>
                  <path className={`fill ${look}`} d={`${lineOf(values, top)}L100 100L0 100Z`} />
                  <path className={`line-p ${look}`} d={lineOf(values, top)} />
                </g>
              ),
            )}
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
