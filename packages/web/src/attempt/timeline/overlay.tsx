import { memo } from 'react';
import { clock, clockSeconds, duration, span as spanWords } from '../../text/time.ts';
import { needSeconds, percentAt, type Scale, ticksOf } from './scale.ts';
import type { Span } from './spans.ts';
import type { AxisKind } from './time-sum.tsx';

interface AxisProps {
  readonly scale: Scale;
  readonly kind: AxisKind;
}

/** The time above the steps. */
export const Axis = memo(function Axis({ scale, kind }: AxisProps) {
  const ticks = ticksOf(scale, kind);
  const seconds = needSeconds(ticks);
  const words = (at: number) =>
    kind === 'elapsed' ? duration(at - scale.from) : seconds ? clockSeconds(at) : clock(at);
  return (
    <div className="tl-axis" aria-hidden="true">
      <span className="tl-name faint">Step</span>
      <span className="tl-plot">
        {ticks.map((at) => (
          <i key={at} style={{ left: `${percentAt(scale, at)}%` }}>
            {words(at)}
          </i>
        ))}
      </span>
    </div>
  );
});

/** More bands than pixels cannot be told apart. */
const MAX_BANDS = 300;
/** A band needs this share of the axis, in percent, to have room for its words. */
const MIN_NAMED = 9;

interface OverlayProps extends AxisProps {
  readonly silences: readonly Span[];
  /** Null once the run has ended. */
  readonly now: number | null;
}

/** Lines of the axis, bands of silence and the line of now, over all steps. */
export const Overlay = memo(function Overlay({ scale, kind, silences, now }: OverlayProps) {
  return (
    <div className="tl-over" aria-hidden="true">
      <span className="tl-name" />
      <span className="tl-plot">
        {ticksOf(scale, kind).map((at) => (
          <i key={at} className="line" style={{ left: `${percentAt(scale, at)}%` }} />
        ))}
        {silences.slice(-MAX_BANDS).map(({ from, to }) => {
          const [left, right] = [percentAt(scale, from), percentAt(scale, to)];
          return (
            <i key={from} className="gap" style={{ left: `${left}%`, width: `${right - left}%` }}>
              {right - left > MIN_NAMED ? <b>quiet {spanWords(to - from)}</b> : null}
            </i>
          );
        })}
        {now === null ? null : (
          <i className="nowline" style={{ left: `${percentAt(scale, now)}%` }}>
            <b>now</b>
          </i>
        )}
      </span>
    </div>
  );
});
