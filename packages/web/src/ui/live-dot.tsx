import { clock, type Moment } from '../text/time.ts';
import { plural } from '../text/words.ts';
import './live-dot.css';

export type LiveState =
  | {
      readonly kind: 'live' /** Changes that came at once after a cut: shown for 4 s. */;
      readonly caughtUp?: number | undefined;
    }
  | { readonly kind: 'again' /** Changes of this page that wait to be sent. */; readonly waiting?: number | undefined }
  | { readonly kind: 'off'; readonly since: Moment };

export interface LiveDotProps {
  readonly state: LiveState;
  readonly onRetry: () => void;
}

/** Whether changes arrive. The dot changes its shape and its word, not only its colour. */
export function LiveDot({ state, onRetry }: LiveDotProps) {
  return (
    <span className="live-at" role="status" data-testid="live-dot" data-state={state.kind}>
      {state.kind === 'live' ? (
        <span className="live" title="Changes arrive as they happen">
          <i />
          <span className="live-word">
            {state.caughtUp ? `Live, ${plural(state.caughtUp, 'change')} caught up` : 'Live'}
          </span>
        </span>
      ) : null}
      {state.kind === 'again' ? (
        <>
          {state.waiting ? (
            <span className="waits">
              {plural(state.waiting, 'change')} {state.waiting === 1 ? 'waits' : 'wait'}
            </span>
          ) : null}
          <span className="live again" title="The line to the server was cut">
            <i />
            <span className="live-word">Reconnecting…</span>
          </span>
        </>
      ) : null}
      {state.kind === 'off' ? (
        <span className="live off">
          <i />
          <span className="live-word">Offline since {clock(state.since)}</span>
          <button className="link" type="button" onClick={onRetry}>
            Retry
          </button>
        </span>
      ) : null}
    </span>
  );
}
