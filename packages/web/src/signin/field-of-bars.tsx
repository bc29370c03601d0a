import { barsOf } from './bars.ts';

const BARS = barsOf(7);

/** Decoration, only here: faint, and never under text. */
export function FieldOfBars() {
  return (
    <svg className="field-of-bars" viewBox="0 0 1440 330" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="1.5" height="5" className="b-ink" />
        </pattern>
      </defs>
      {BARS.map(({ x, y, width, look }) => (
        <rect key={`${x}-${y}`} x={x} y={y} width={width} height="8" rx="2" className={`b-${look}`} />
      ))}
    </svg>
  );
}
