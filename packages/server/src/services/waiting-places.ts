import type { Caller } from '#domain/caller';
import { ErrandError } from '#errors';

/** Each waiting call looks at the store after every commit: without a bound, those of one caller would starve all others. */
const MAX_WAITING_CALLS = 50;
const RETRY_MS = 1_000;

const tooMany = (): ErrandError =>
  new ErrandError('rate_limited', `Too many of your calls wait already: ${MAX_WAITING_CALLS}.`, {
    hint: 'Wait until one of them is answered, or ask without waiting.',
    retry_after_ms: RETRY_MS,
  });

/** The places in which calls wait for a person, a worker or an agent, for each caller. */
export function createWaitingPlaces() {
  const taken = new Map<string, number>();
  return {
    /** Runs a call that may wait. Throws `rate_limited`, before anything is done, when the caller has all of its places. */
    within: async <T>({ principal_id }: Pick<Caller, 'principal_id'>, run: () => Promise<T>): Promise<T> => {
      const before = taken.get(principal_id) ?? 0;
      if (before >= MAX_WAITING_CALLS) throw tooMany();
      taken.set(principal_id, before + 1);
      try {
        return await run();
      } finally {
        const left = (taken.get(principal_id) ?? 1) - 1;
        if (left === 0) taken.delete(principal_id);
        else taken.set(principal_id, left);
      }
    },
  };
}

export type WaitingPlaces = ReturnType<typeof createWaitingPlaces>;
