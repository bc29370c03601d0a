import { setTimeout as pause } from 'node:timers/promises';
import { type Event, UnreadableEvent } from '#domain/event';
import { isDatabaseError } from '#errors';
import type { Reads } from '#store/store';

export const PAGE = 200;
const RETRY_MS = 500;

/** What comes after a number: changes, or the one that nobody can read. */
export type EventPage = readonly Event[] | UnreadableEvent;

/** Asks for changes for as long as somebody needs them, whatever becomes of the database meanwhile. */
export function createPages(events: Reads['events'], report: (error: unknown) => void) {
  let reported = 0;

  /** Everyone who comes by meets it again, and whoever runs the server has to hear of it once. */
  function reportOnce(unreadable: UnreadableEvent): void {
    if (unreadable.seq <= reported) return;
    reported = unreadable.seq;
    report(unreadable);
  }

  return async (after: number, isNeeded: () => boolean): Promise<EventPage> => {
    let isReported = false;
    while (isNeeded()) {
      try {
        return await events.page({ after, limit: PAGE });
      } catch (error) {
        if (error instanceof UnreadableEvent) {
          reportOnce(error);
          return error;
        }
        if (!isReported && !isDatabaseError(error)) {
          isReported = true;
          report(error);
        }
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
    return [];
  };
}
