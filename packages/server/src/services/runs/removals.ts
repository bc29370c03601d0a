import type { Attempt, AttemptRepoRow } from '#domain/attempt';
import type { Store, Transaction } from '#store/store';
import { tellAttempt } from './attempt-events.ts';

interface Wanted {
  readonly attempt: Attempt;
  readonly repos: readonly AttemptRepoRow[];
}

async function find(tx: Transaction, { workspace_id, project_id, id }: Attempt): Promise<Attempt | null> {
  return tx.attempts.find({ workspace_id, project_ids: [project_id] }, id);
}

/** Folders of attempts that someone wants to be rid of. */
export function createRemovals({ reads, transaction }: Pick<Store, 'reads' | 'transaction'>) {
  return {
    wanted: async (host_id: string): Promise<readonly Wanted[]> => {
      const attempts = await reads.attempts.removals(host_id);
      return Promise.all(attempts.map(async (attempt) => ({ attempt, repos: await reads.attempts.repos(attempt) })));
    },

    /** A run that was started meanwhile keeps the folders that it works in. */
    done: (wanted: Attempt, isRemoved: boolean): Promise<void> =>
      transaction(async (tx) => {
        const attempt = await find(tx, wanted);
        if (attempt?.removal !== 'requested') return;
        const after: Attempt = {
          ...attempt,
          removal: isRemoved ? null : 'refused',
          host_id: isRemoved ? null : attempt.host_id,
          updated_at: tx.now,
        };
        await tx.attempts.update(after);
        await tellAttempt(tx, 'updated', after);
      }),
  };
}

export type Removals = ReturnType<typeof createRemovals>;
