import type { ServerRow } from '#domain/sign-in';
import type { Store } from '#store/store';

const LEASE_MS = 60_000;
const EVERY_MS = 20_000;

type Announced = Pick<ServerRow, 'id' | 'host_name' | 'url'>;

/** The servers of a database that several machines use. */
export function createServers({ reads, transaction }: Pick<Store, 'reads' | 'transaction'>) {
  const beat = (server: Announced): Promise<void> =>
    transaction(
      async (tx) => {
        await tx.servers.put({ ...server, lease_until: tx.now + LEASE_MS });
        await tx.servers.sweep(tx.now);
      },
      // Every server beats: writers of projects must not wait for it.
      { lane: server.id },
    );

  return {
    live: (): Promise<readonly ServerRow[]> => reads.servers.live(),

    /** Records again and again that the server runs. Resolves after the first time with the function that stops it. */
    announce: async (server: Announced, failed: (error: unknown) => void): Promise<() => Promise<void>> => {
      await beat(server);
      const timer = setInterval(() => void beat(server).catch(failed), EVERY_MS).unref();
      return () => {
        clearInterval(timer);
        return transaction((tx) => tx.servers.remove(server.id));
      };
    },
  };
}

export type Servers = ReturnType<typeof createServers>;
