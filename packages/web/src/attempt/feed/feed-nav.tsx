import type { Attempt } from '../../api/attempts.ts';
import { duration } from '../../text/time.ts';
import { count } from '../../text/words.ts';
import { Fact } from '../../ui/fact.tsx';
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
            <Fact name="Tokens in">{count(usage.input_tokens ?? 0)}</Fact>
            <Fact name="Tokens out">{count(usage.output_tokens ?? 0)}</Fact>
            {usage.cost_usd === undefined ? null : <Fact name="Cost">$ {usage.cost_usd.toFixed(2)}</Fact>}
          </dl>
        </>
      )}
    </nav>
  );
}
