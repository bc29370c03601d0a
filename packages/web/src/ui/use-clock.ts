import { useSyncExternalStore } from 'react';
import { type Beat, Clock } from './clock.ts';

/** The page's clock. */
export const pageClock = new Clock({
  now: () => Date.now(),
  every: (milliseconds, run) => window.setInterval(run, milliseconds),
  // Safe: it comes from `every`.
  stop: (timer) => window.clearInterval(timer as number),
});

const bySecond = (listener: () => void) => pageClock.listen('second', listener);
const byMinute = (listener: () => void) => pageClock.listen('minute', listener);

/**
 * What `read` makes of the time, read again on every beat. It answers a text, a number or a boolean: the component is
 * drawn again only when that value changes.
 */
export function useClock<Value extends string | number | boolean>(
  read: (now: number) => Value,
  beat: Beat = 'minute',
): Value {
  return useSyncExternalStore(beat === 'second' ? bySecond : byMinute, () => read(pageClock.now()));
}
