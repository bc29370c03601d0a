import type { FeedEntry } from 'errand/client';
import { memo } from 'react';
import { exact } from '../../text/time.ts';
import { count } from '../../text/words.ts';
import { AgentTile } from '../../ui/agent-tile.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PersonDot } from '../../ui/person-dot.tsx';
import { type Said, saidIn, type Talk } from './said.ts';
import { percentAt, type Scale } from './scale.ts';
import { binned } from './spans.ts';

const BINS = 84;
const MAX_HEIGHT = 23;
const MIN_HEIGHT = 5;
/** Pins nearer to each other than this share of the axis would hide each other. */
const PIN_SHARE = 0.8;

const isCall = ({ kind }: FeedEntry): boolean => kind === 'tool_call' || kind === 'command' || kind === 'edit';

/** The talk at its moments; of those at one place, the last. */
function pinsOf(talk: readonly Said[], scale: Scale): readonly (Said & { readonly left: number })[] {
  const pins = new Map<number, Said & { readonly left: number }>();
  for (const said of talk) {
    const left = percentAt(scale, said.at);
    pins.set(Math.floor(left / PIN_SHARE), { ...said, left });
  }
  return [...pins.values()];
}

interface LanesProps extends Talk {
  readonly entries: readonly FeedEntry[];
  readonly scale: Scale;
}

/** Who said it: an agent or a person. */
function Pin({ said: { by } }: { readonly said: Said }) {
  if (by === null) return <Icon name="person" label="Told to the agent" />;
  return by.kind === 'agent' ? (
    <AgentTile id={by.id} name={by.name} size={16} />
  ) : (
    <PersonDot name={by.name} size={16} />
  );
}

/** Tool calls and messages over the same time as the steps. */
export const Lanes = memo(function Lanes({ entries, scale, ...talk }: LanesProps) {
  const calls = entries.filter(isCall);
  const counts = binned(
    calls.map(({ at }) => Date.parse(at)),
    scale,
    BINS,
  );
  const most = Math.max(1, ...counts);
  const said = entries.flatMap((entry) => saidIn(entry, talk));
  return (
    <>
      <div className="tl-sep" />
      <div className="tl-lane">
        <span className="tl-name quiet">
          Tool calls<span className="faint num">{count(calls.length)}</span>
        </span>
        <span className="tl-plot" aria-hidden="true">
          {counts.map((number, at) =>
            number === 0 ? null : (
              <i
                key={at}
                className="call"
                style={{
                  left: `${(at / BINS) * 100}%`,
                  width: `calc(${100 / BINS}% - 1.5px)`,
                  height: MIN_HEIGHT + ((MAX_HEIGHT - MIN_HEIGHT) * (number - 1)) / Math.max(1, most - 1),
                }}
              />
            ),
          )}
        </span>
      </div>
      <div className="tl-lane">
        <span className="tl-name quiet">
          Messages<span className="faint num">{count(said.length)}</span>
        </span>
        <span className="tl-plot">
          {pinsOf(said, scale).map((pin) => (
            <span
              key={pin.key}
              className="pin"
              style={{ left: `${pin.left}%` }}
              title={`${exact(pin.at)}: ${pin.text.slice(0, 120)}`}
            >
              <Pin said={pin} />
            </span>
          ))}
        </span>
      </div>
    </>
  );
});
