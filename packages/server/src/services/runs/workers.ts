import type { RunId } from '#domain/ids';
import { isOver } from '#domain/run';
import type { Worker } from '#domain/worker';
import type { Store } from '#store/store';
import type { Hold } from './held-run.ts';

/** How long a worker that was not heard of is remembered. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

type Present = Omit<Worker, 'started_at' | 'lease_until'> & { readonly lease_ms: number };

/** Who runs attempts, and signs of life of what they run. */
export function createWorkers(store: Pick<Store, 'reads' | 'transaction'>) {
  return {
    /** Says that the worker lives, and with it the runs that it holds. Resolves to those that are not its any more. */
    beat: ({ lease_ms, ...worker }: Present, holds: readonly Hold[]): Promise<readonly RunId[]> =>
      store.transaction(async (tx) => {
        await tx.workers.put({ ...worker, started_at: tx.now, lease_until: tx.now + lease_ms });
        await tx.workers.sweep(tx.now - FORGOTTEN_AFTER_MS);
        const lost: RunId[] = [];
        for (const { execution_id, epoch } of holds) {
          const entry = await tx.queue.find(execution_id);
          if (entry === null || entry.epoch !== epoch || isOver(entry.run.status)) lost.push(execution_id);
          else await tx.queue.update({ ...entry, lease_until: tx.now + lease_ms });
        }
        return lost;
      }),

    leave: (worker_id: string): Promise<void> => store.transaction((tx) => tx.workers.remove(worker_id)),

    live: (): Promise<readonly Worker[]> => store.reads.workers.live(),

    onHost: (host_id: string): Promise<readonly Worker[]> => store.reads.workers.onHost(host_id),

    /** The runs that someone wants to end, of those that a worker has. */
    toStop: async (worker_id: string): Promise<readonly RunId[]> =>
      (await store.reads.queue.heldBy(worker_id))
        .filter(({ stop_requested_at }) => stop_requested_at !== null)
        .map(({ execution_id }) => execution_id),
  };
}

export type Workers = ReturnType<typeof createWorkers>;
