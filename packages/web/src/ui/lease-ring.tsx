import { hueOf, monogram } from '../text/hue.ts';
import type { Moment } from '../text/time.ts';
import type { TileSize } from './agent-tile.tsx';
import { type LeaseState, leaseLeft, ringDashes, ringPath } from './ring-shape.ts';
import { useClock } from './use-clock.ts';
import './who.css';
import './lease-ring.css';

export interface LeaseRingProps {
  /** The agent that holds the claim. */
  readonly id: string;
  readonly name: string;
  readonly size?: TileSize | undefined;
  readonly state: LeaseState;
  /** When the claim began and when it ends; the ring runs down between them by itself. */
  readonly from?: Moment | undefined;
  readonly until?: Moment | undefined;
  /** What the ring says, as “claimed by atlas until 14:19”: for readers, and on hover. */
  readonly label: string;
}

const STATES = { claimed: 'is-run', waiting: 'is-wait', quiet: 'is-quiet', stalled: 'is-stalled', lost: 'is-lost' };

/** An agent inside a ring that shows the remaining time of its claim, clockwise from the top. */
export function LeaseRing({ id, name, size = 20, state, from, until, label }: LeaseRingProps) {
  const dashes = useClock((now) => ringDashes(state, leaseLeft(from, until, now)));
  const path = ringPath(size);
  return (
    <span className={`leased ${STATES[state]} s${size}`} title={label}>
      <svg className="ring" viewBox={`0 0 ${size + 8} ${size + 8}`} aria-hidden="true">
        <path className="ring-track" d={path} />
        <path className="ring-left" d={path} pathLength={100} strokeDasharray={dashes} />
      </svg>
      <span className={`tile s${size} id-${hueOf(id)}`} aria-hidden="true">
        {monogram(name)}
      </span>
      <span className="sr">{label}</span>
    </span>
  );
}
