import { setTimeout as sleep } from 'node:timers/promises';
import { openEvents } from '../../../packages/server/src/testing/event-client.ts';
import type { ReceivedEvent } from '../../../packages/server/src/testing/event-reader.ts';
import type { Random } from '../../e2e/durability/random.ts';
import { SERVERS, type TwoServers } from '../../e2e/two-servers/two-servers.ts';

/** A listener that goes on with the number of its last event, on either server, whenever its stream ends. */
export interface Follower {
  readonly heard: readonly ReceivedEvent[];
  /** How often it has connected. */
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
}

const RETRY_MS = 20;
/** The longest that a stream lasts before the listener cuts it itself, in milliseconds and in bytes. */
const LONGEST_MS = 1_500;
const MOST_BYTES = 60_000;

export async function followEvents({ origin, owner: token }: TwoServers, random: Random): Promise<Follower> {
  const heard: ReceivedEvent[] = [];
  const begun = Promise.withResolvers<void>();
  let connections = 0;
  let last_event_id: string | undefined;
  let isOver = false;
  let cutNow = (): void => {};

  async function followOnce(at: string): Promise<void> {
    // Some streams break in the middle of an event.
    const most = random.next() < 0.3 ? random.between(1, MOST_BYTES) : Infinity;
    const stream = openEvents(at, { token, most, ...(last_event_id !== undefined && { last_event_id }) });
    cutNow = () => void stream.cut();
    const { statusCode } = await stream.answered;
    if (statusCode !== 200) return cutNow();
    connections++;
    // After its first number every later change arrives.
    void stream.until(() => stream.heard.length > 0).then(begun.resolve);
    const due = sleep(random.between(1, LONGEST_MS)).then(stream.cut);
    await stream.closed;
    await due;
    heard.push(...stream.heard.filter(({ kind }) => kind !== 'position'));
    if (stream.lastId() !== '') last_event_id = stream.lastId();
  }

  async function follow(): Promise<void> {
    while (!isOver) {
      const at = origin(random.pick(SERVERS));
      if (at !== null) await followOnce(at).catch(() => {});
      await sleep(RETRY_MS);
    }
  }

  const following = follow();
  await begun.promise;
  return {
    heard,
    connections: () => connections,
    stop: async () => {
      isOver = true;
      cutNow();
      await following;
    },
  };
}
