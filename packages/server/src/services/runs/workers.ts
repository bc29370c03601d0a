import type { BudgetsConfig } from '#domain/budget';
import type { RunId } from '#domain/ids';
import { advance, type StopReason } from '#domain/run-machine';
import type { Worker } from '#domain/worker';
import type { Ports } from '#services/ports';
import type { Store, Transaction } from '#store/store';
import { findHeld, type Hold } from './held-run.ts';
import { keepBudget } from './keep-budget.ts';

/** How long the row of a worker is kept after its last sign of life. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

type Present = Omit<Worker, 'started_at' | 'lease_until'> & { readonly lease_ms: number };

/** The rows of workers, and the leases of the runs that they hold. */
export function createWorkers(
  store: Pick<Store, 'reads' | 'transaction'>,
  { ids, budgets }: { readonly ids: Ports['ids']; readonly budgets: BudgetsConfig },
) {
  return {
    /** Renews the lease of a worker and of the runs that it holds. Resolves to the runs that it holds no more. */
    beat: ({ lease_ms, ...worker }: Present, holds: readonly Hold[]): Promise<readonly RunId[]> => {
      const beat = async (tx: Transaction): Promise<readonly RunId[]> => {
        await tx.workers.put({ ...worker, started_at: tx.now, lease_until: tx.now + lease_ms });
        await tx.workers.sweep(tx.now - FORGOTTEN_AFTER_MS);
        const lost: RunId[] = [];
        for (const { execution_id, epoch } of holds) {
          const entry = await findHeld(tx, { execution_id, epoch });
          const renewed = entry && advance(entry, { type: 'renew', lease_until: tx.now + lease_ms }, tx.now);
          if (renewed === null) lost.push(execution_id);
          else {
            await tx.queue.update(renewed);
            // Its minutes count as it runs.
            await keepBudget({ tx, ids, budgets }, renewed);
          }
        }
        return lost;
      };
      // A worker without runs writes its own row alone. Leases and budgets of runs are of many projects.
      return store.transaction(beat, holds.length === 0 ? { lane: worker.id } : {});
    },

    leave: (worker_id: string): Promise<void> => store.transaction((tx) => tx.workers.remove(worker_id)),

    live: (): Promise<readonly Worker[]> => store.reads.workers.live(),

    onHost: (host_id: string): Promise<readonly Worker[]> => store.reads.workers.onHost(host_id),

    /** The runs of this worker that must stop, and why. */
    toStop: async (worker_id: string): Promise<readonly { readonly execution_id: RunId; readonly why: StopReason }[]> =>
      (await store.reads.queue.heldBy(worker_id))
        .filter(({ stop_requested_at }) => stop_requested_at !== null)
        .map(({ execution_id, stop_reason }) => ({ execution_id, why: stop_reason ?? 'stopped' })),
  };
}

export type Workers = ReturnType<typeof createWorkers>;
