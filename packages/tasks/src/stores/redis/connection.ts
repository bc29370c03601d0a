import { setTimeout as sleep } from 'node:timers/promises';
import type { createClient } from 'redis';
import { storeAway } from '#stores/store-away';

type Client = ReturnType<typeof createClient>;

const CONNECT_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 2_500;
const CLOSE_WITHIN_MS = 2_000;
const MAX_RECONNECT_DELAY_MS = 1_000;

export interface Subscription {
  readonly channel: string;
  readonly onMessage: (message: string) => void;
  /** Called after a reconnect: messages may have been missed. */
  readonly onReturn: () => void;
}

export interface RedisConnection {
  /** Rejects at once while the server is unavailable: a queued command would run long after its sender gave up. */
  readonly send: (args: readonly string[]) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function loadDriver(): Promise<typeof import('redis')> {
  try {
    return await import('redis');
  } catch (error) {
    throw new Error('The Redis store needs the package `redis`: npm install redis', { cause: error });
  }
}

/** Opens a connection that reconnects by itself, also when the server still accepts data but no longer answers. */
export async function connectRedis(url: string, subscription?: Subscription): Promise<RedisConnection> {
  const redis = await loadDriver();
  let opened = false;

  function build(): Client {
    // Typed like the generic factory: without modules, functions and scripts.
    const made = redis.createClient({
      url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_WITHIN_MS,
        reconnectStrategy: (retries, cause) =>
          opened ? Math.min(25 * 2 ** Math.min(retries, 10), MAX_RECONNECT_DELAY_MS) : cause,
      },
    }) as Client;
    // Commands reject by themselves. Without a listener the failure of an idle connection would end the process.
    made.on('error', () => {});
    made.on('ready', () => {
      if (opened) subscription?.onReturn();
    });
    return made;
  }

  async function start(made: Client): Promise<void> {
    await made.connect();
    if (subscription !== undefined) await made.subscribe(subscription.channel, subscription.onMessage);
  }

  let client = build();
  try {
    await start(client);
  } catch (error) {
    client.destroy();
    throw storeAway(error);
  }
  opened = true;

  let closed = false;
  function renew(): void {
    if (closed) return;
    if (client.isOpen) client.destroy();
    const made = build();
    client = made;
    start(made).catch(() => {
      if (client === made) setTimeout(renew, MAX_RECONNECT_DELAY_MS).unref();
    });
  }

  // When a peer vanishes silently, the socket stays open for many minutes, and every command waits.
  let answered = true;
  const look = setInterval(() => {
    if (!client.isReady) return;
    if (!answered) renew();
    answered = false;
    const asked = client;
    const note = (): void => {
      if (asked === client) answered = true;
    };
    client.sendCommand(['PING']).then(note, note);
  }, LOOK_EVERY_MS);
  look.unref();

  return {
    send: async (args) => {
      try {
        return await client.sendCommand([...args]);
      } catch (error) {
        throw storeAway(error);
      }
    },
    close: async () => {
      closed = true;
      clearInterval(look);
      // Answers come in order: after the answer to this PING none is open.
      const last = client.sendCommand(['PING']).catch(() => {});
      await Promise.race([last, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
      if (client.isOpen) client.destroy();
    },
  };
}
