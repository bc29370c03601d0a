import { useQueryClient } from '@tanstack/react-query';
import { cutOf, startLive, useLive } from '../api/live-store.ts';
import { LiveDot } from '../ui/live-dot.tsx';
import { useClock } from '../ui/use-clock.ts';

/** The dot in the top bar that tells whether changes arrive: live, trying again, offline since when, caught up. */
export function LiveStatus() {
  const client = useQueryClient();
  const live = useLive();
  const cut = useClock((now) => cutOf(live, now), 'second');
  const state =
    cut === 'offline' && live.cut_at !== null
      ? ({ kind: 'off', since: live.cut_at } as const)
      : cut === 'again'
        ? ({ kind: 'again' } as const)
        : ({ kind: 'live', caughtUp: live.caught_up ?? undefined } as const);
  return <LiveDot state={state} onRetry={() => startLive(client)} />;
}
