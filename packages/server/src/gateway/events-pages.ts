import { setTimeout as pause } from 'node:timers/promises';
import { type Event, UnreadableEvent } from '#domain/event';
import { isDatabaseError } from '#errors';
import type { Reads } from '#store/store';

export const PAGE = 200;
const RETRY_MS = 500;

/** The events after a number, or the one that cannot be read. */
export type EventPage = readonly Event[] | UnreadableEvent;

/** Reads events as long as a follower needs them, also through failures of the database. */
export function createPages(events: Reads['events'], report: (error: unknown) => void) {
  let reported = 0;

  /** Every follower meets the same unreadable event. It is logged once. */
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
