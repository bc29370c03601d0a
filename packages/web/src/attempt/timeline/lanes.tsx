import type { FeedEntry } from 'errand/client';
import { memo } from 'react';
import { entryKey, type Senders } from '../../api/attempt-feed.ts';
import { exact } from '../../text/time.ts';
import { count } from '../../text/words.ts';
import { AgentTile } from '../../ui/agent-tile.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PersonDot } from '../../ui/person-dot.tsx';
import { messageIn } from '../feed/entry-text.ts';
import { percentAt, type Scale } from './scale.ts';
import { binned } from './spans.ts';

const BINS = 84;
const MAX_HEIGHT = 23;
const MIN_HEIGHT = 5;
/** Pins nearer to each other than this share of the axis would hide each other. */
const PIN_SHARE = 0.8;

const isCall = ({ kind }: FeedEntry): boolean => kind === 'tool_call' || kind === 'command' || kind === 'edit';

/** What people and agents said to each other: what was asked, and what was sent to the agent. */
const isTalk = (entry: FeedEntry): boolean => entry.kind === 'question' || messageIn(entry) !== null;

/** The talk at its moments; of those at one place, the last. */
function pinsOf(entries: readonly FeedEntry[], scale: Scale): readonly (FeedEntry & { readonly left: number })[] {
  const pins = new Map<number, FeedEntry & { readonly left: number }>();
  for (const entry of entries) {
    if (!isTalk(entry)) continue;
    const left = percentAt(scale, Date.parse(entry.at));
    pins.set(Math.floor(left / PIN_SHARE), { ...entry, left });
  }
  return [...pins.values()];
}

interface LanesProps {
  readonly entries: readonly FeedEntry[];
  readonly scale: Scale;
  /** The agent that asks. */
  readonly agent: { readonly id: string; readonly name: string };
  readonly senders: Senders;
}

interface PinProps extends Pick<LanesProps, 'agent' | 'senders'> {
  readonly entry: FeedEntry;
}

/** Who said it: the agent that asks, or who wrote to it. */
function Pin({ entry, agent, senders }: PinProps) {
  if (entry.kind === 'question') return <AgentTile id={agent.id} name={agent.name} size={16} />;
  const by = senders.get(entryKey(entry));
  if (by === undefined) return <Icon name="person" label="Told to the agent" />;
  return by.kind === 'agent' ? (
    <AgentTile id={by.id} name={by.name} size={16} />
  ) : (
    <PersonDot name={by.name} size={16} />
  );
}

/** Tool calls and messages over the same time as the steps. */
export const Lanes = memo(function Lanes({ entries, scale, agent, senders }: LanesProps) {
  const calls = entries.filter(isCall);
  const counts = binned(
    calls.map(({ at }) => Date.parse(at)),
    scale,
    BINS,
  );
  const most = Math.max(1, ...counts);
  const messages = entries.filter(isTalk).length;
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
          Messages<span className="faint num">{count(messages)}</span>
        </span>
        <span className="tl-plot">
          {pinsOf(entries, scale).map((entry) => (
            <span
              key={entryKey(entry)}
              className="pin"
              style={{ left: `${entry.left}%` }}
              title={`${exact(entry.at)}: ${(messageIn(entry)?.text ?? entry.text).slice(0, 120)}`}
            >
              <Pin entry={entry} agent={agent} senders={senders} />
            </span>
          ))}
        </span>
      </div>
    </>
  );
});
