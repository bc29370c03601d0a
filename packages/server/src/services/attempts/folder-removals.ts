import { type Attempt, type AttemptRepoRow, isActive } from '#domain/attempt';
import type { Store, Transaction } from '#store/store';
import { emitAttempt } from './attempt-events.ts';

interface Wanted {
  readonly attempt: Attempt;
  readonly repos: readonly AttemptRepoRow[];
}

const find = (tx: Transaction, { workspace_id, project_id, id }: Attempt): Promise<Attempt | null> =>
  tx.attempts.find({ workspace_id, project_ids: [project_id] }, id);

async function change(tx: Transaction, attempt: Attempt, to: Partial<Attempt>): Promise<void> {
  const after: Attempt = { ...attempt, ...to, updated_at: tx.now };
  await tx.attempts.update(after);
  await emitAttempt(tx, 'updated', after);
}

/** Folders of attempts that someone wants to be rid of. */
export function createRemovals({ reads, transaction }: Pick<Store, 'reads' | 'transaction'>) {
  return {
    wanted: async (host_id: string): Promise<readonly Wanted[]> => {
      const attempts = await reads.attempts.removals(host_id);
      return Promise.all(attempts.map(async (attempt) => ({ attempt, repos: await reads.attempts.repos(attempt) })));
    },

    /** Says that the folders are about to go: no run begins in them meanwhile. False when one has begun already. */
    begin: (wanted: Attempt): Promise<boolean> =>
      transaction(async (tx) => {
        const attempt = await find(tx, wanted);
        // Of a worker that was ended in the middle: what has been queued since then waits for the end of it.
        if (attempt?.removal === 'removing') return true;
        if (attempt?.removal !== 'requested' || isActive(attempt.run_status)) return false;
        await change(tx, attempt, { removal: 'removing' });
        return true;
      }),

    done: (wanted: Attempt, isRemoved: boolean): Promise<void> =>
      transaction(async (tx) => {
        const attempt = await find(tx, wanted);
        if (attempt?.removal !== 'removing') return;
        await change(tx, attempt, isRemoved ? { removal: null, host_id: null } : { removal: 'refused' });
      }),
  };
}

export type Removals = ReturnType<typeof createRemovals>;
