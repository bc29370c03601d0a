import { clock, day } from '../text/time.ts';
import { fieldOf, lineOf, placesOf, short, stretchesOf, topOf } from './figures.ts';

interface Line {
  readonly name: string;
  /** The class of its colour. */
  readonly look: 'c-a' | 'c-b' | 'c-c' | 'c-d' | 'c-e';
  /** At each time; null for what was not measured. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly from: number;
  readonly to: number;
  /** When the values were measured. */
  readonly times: readonly number[];
  readonly shown?: (value: number) => string;
  /** Values that stand alone are joined: between them nothing was to be measured. */
  readonly joined?: boolean;
  /** Whole things, which change in steps. */
  readonly stepped?: boolean;
  /** From which value on somebody should act. */
  readonly limit?: { readonly value: number; readonly label: string } | undefined;
}

const THIRDS = [0, 1, 2, 3] as const;
const QUARTERS = [0, 1, 2, 3, 4] as const;
/** Above the line of a limit its label needs room. */
const LIMIT_ROOM = 1.1;
const DAY_MS = 86_400_000;

const latestOf = (values: readonly (number | null)[]): number => values.findLast((value) => value !== null) ?? 0;

/** How something went over time. */
export function Chart({ title, lines, from, to, times, shown = short, joined, stepped, limit }: ChartProps) {
  const top = topOf([
    ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)),
    LIMIT_ROOM * (limit?.value ?? 0),
  ]);
  const places = placesOf(times, from, to);
  const drawn = (values: readonly (number | null)[]) => {
    const stretches = stretchesOf(values, places, top);
    return joined && stretches.length > 1 ? [stretches.flat()] : stretches;
  };
  const now = lines.map(({ name, values }) => `${name} ${shown(latestOf(values))}`).join(', ');
  const isLong = to - from > 2 * DAY_MS;
  return (
    <figure className="chart" aria-label={`${title}: ${now}`}>
      <figcaption>
        <b>{title}</b>
        <span className="legend">
          {lines.map(({ name, look, values }) => (
            <span key={name}>
              <i className={look} />
              {name} <b>{shown(latestOf(values))}</b>
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
          {limit === undefined ? null : (
            <i className="limit" style={{ bottom: `${(100 * limit.value) / top}%` }}>
              <b>{limit.label}</b>
            </i>
          )}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {lines.map(({ name, look, values }) =>
              drawn(values).map((points) => (
                <g key={`${name} ${points[0]?.[0]}`}>
                  <path className={`fill ${look}`} d={fieldOf(points, stepped)} />
                  <path className={`line-p ${look}`} d={lineOf(points, stepped)} />
                </g>
              )),
            )}
          </svg>
        </div>
      </div>
      <div className="xs" aria-hidden="true">
        {QUARTERS.map((quarter) => {
          const at = from + ((to - from) * quarter) / 4;
          return <span key={quarter}>{isLong ? day(at, to) : clock(at)}</span>;
        })}
      </div>
    </figure>
  );
}
