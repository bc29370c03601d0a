import { setTimeout as sleep } from 'node:timers/promises';
import type { IdempotencyRecord } from '../../../packages/server/src/domain/idempotency.ts';
import type { Store } from '../../../packages/server/src/store/store.ts';

/** Faults that the kill loop must detect. Each is a plausible mistake in the store. */
export const PLANTS = {
  /** Looks a key up in one transaction and stores it in another. */
  'two transactions': (store: Store): Store => ({
    ...store,
    transaction: async (work, options) => {
      const records: IdempotencyRecord[] = [];
      const put = async (record: IdempotencyRecord) => void records.push(record);
      const result = await store.transaction((tx) => work({ ...tx, idempotency: { ...tx.idempotency, put } }), options);
      if (records.length > 0) {
        await store.transaction(async (tx) => {
          for (const record of records) await tx.idempotency.put(record);
        }, options);
      }
      return result;
    },
  }),

  /** Never looks a key up. */
  'no lookup': (store: Store): Store => ({
    ...store,
    transaction: (work, options) =>
      store.transaction((tx) => {
        const put = async () => {};
        return work({ ...tx, idempotency: { ...tx.idempotency, find: async () => null, put } });
      }, options),
  }),

  /** Answers before the commit. */
  'early answer': (store: Store): Store => ({
    ...store,
    transaction: (work, options) =>
      new Promise((resolve, reject) => {
        const committed = store.transaction(async (tx) => {
          resolve(await work(tx));
          await sleep(3);
        }, options);
        committed.catch(reject);
      }),
  }),
} as const;

export type Plant = keyof typeof PLANTS;
