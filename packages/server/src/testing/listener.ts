import type { Caller } from '#domain/caller';
import { readQuestion } from '#gateway/events-filter';
import type { Gateway } from '#gateway/gateway';
import { eventBytes } from '#transports/events/wire';
import { createEventReader } from './event-reader.ts';

/** A follower of the gateway's events. It does not read while it is held. */
export async function aListener(
  { events }: Pick<Gateway, 'events'>,
  caller: Caller,
  query: Readonly<Record<string, string>> = {},
  beforeStart: () => Promise<void> = async () => {},
) {
  const reader = createEventReader();
  const unread: Uint8Array[] = [];
  let held: PromiseWithResolvers<void> | null = null;
  const listening = await events.listen(caller, readQuestion(new URLSearchParams(query)));
  await beforeStart();
  const bytes = () => Buffer.concat(unread);
  listening.start({
    write: (frames) => {
      const part = eventBytes(frames);
      unread.push(part);
      reader.feed(part);
    },
    isFull: () => held !== null,
    drained: async () => held?.promise,
  });

  return {
    ...reader,
    ...listening,
    bytes,
    writes: () => unread.length,
    /** Stops reading. Returns the function that continues. */
    hold: () => {
      const holding = Promise.withResolvers<void>();
      held = holding;
      return () => {
        held = null;
        holding.resolve();
      };
    },
  };
}
