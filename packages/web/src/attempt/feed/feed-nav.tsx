import type { Attempt } from '../../api/attempts.ts';
import { duration } from '../../text/time.ts';
import { count } from '../../text/words.ts';
import type { Turn } from './turns.ts';

/** Turns beside the feed; older ones are reached by scrolling. */
const MAX_TURNS = 60;

interface FeedNavProps {
  readonly turns: readonly Turn[];
  /** The turn that is at the top now. */
  readonly current: string | null;
  readonly usage: NonNullable<Attempt['run']>['usage'];
  readonly onGo: (turn: Turn) => void;
}

/** The turns of the feed, and what the latest run has used. */
export function FeedNav({ turns, current, usage, onGo }: FeedNavProps) {
  const shown = turns.slice(-MAX_TURNS);
  const first = turns.length - shown.length;
  return (
    <nav className="feed-nav" aria-label="Turns">
      <h2>Turns</h2>
      <ol>
        {shown.map((turn, at) => (
          <li key={turn.id}>
            <button type="button" aria-current={turn.id === current ? 'true' : undefined} onClick={() => onGo(turn)}>
              <span className="num">{first + at + 1}</span>
              <span className="ell">{turn.title}</span>
              <time>{duration(turn.to - turn.from)}</time>
            </button>
          </li>
        ))}
      </ol>
      {usage === null ? null : (
        <>
          <h2>Use</h2>
          <dl>
            <div className="fact">
              <dt>Tokens in</dt>
              <dd>{count(usage.input_tokens ?? 0)}</dd>
            </div>
            <div className="fact">
              <dt>Tokens out</dt>
              <dd>{count(usage.output_tokens ?? 0)}</dd>
            </div>
            {usage.cost_usd === undefined ? null : (
              <div className="fact">
                <dt>Cost</dt>
                <dd>$ {usage.cost_usd.toFixed(2)}</dd>
              </div>
            )}
          </dl>
        </>
      )}
    </nav>
  );
}
