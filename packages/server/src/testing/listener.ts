import type { Caller } from '#domain/caller';
import { readQuestion } from '#gateway/events-filter';
import type { Gateway } from '#gateway/gateway';
import { eventBytes } from '#transports/events/wire';
import { createEventReader } from './event-reader.ts';

/** Someone who listens at the gateway itself, and who reads what was written only while nothing holds them up. */
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
    /** Stops reading; returns how to go on. */
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
