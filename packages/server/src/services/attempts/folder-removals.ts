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

/** The folders of attempts that a caller has asked to remove. */
export function createRemovals({ reads, transaction }: Pick<Store, 'reads' | 'transaction'>) {
  return {
    wanted: async (host_id: string): Promise<readonly Wanted[]> => {
      const attempts = await reads.attempts.removals(host_id);
      return Promise.all(attempts.map(async (attempt) => ({ attempt, repos: await reads.attempts.repos(attempt) })));
    },

    /** Marks the folders as being removed, so that no run begins in them. False when a run has begun already. */
    begin: (wanted: Attempt): Promise<boolean> =>
      transaction(async (tx) => {
        const attempt = await find(tx, wanted);
        // A worker was ended in the middle of a removal: the runs queued since then wait for the end of it.
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
