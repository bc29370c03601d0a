import type { TaskStore } from '../../../packages/tasks/src/store.ts';
import type { TaskRecord } from '../../../packages/tasks/src/task.ts';
import type { TaskTool } from '../../../packages/tasks/src/tasks.ts';

export interface PlantedFault {
  readonly store?: (store: TaskStore) => TaskStore;
  readonly tool?: (tool: TaskTool) => TaskTool;
}

const withoutHold = (record: TaskRecord): TaskRecord => ({
  ...record,
  lease: record.lease && { ...record.lease, until: 0 },
});

/** Faults that the runs must detect. Each is a plausible mistake in the task library. */
export const PLANTS = {
  /** A worker that never notices that another worker has claimed its task. */
  'no epoch check': {
    store: (store) => {
      const own = new Map<string, number>();
      const asMine = (record: TaskRecord | null): TaskRecord | null =>
        record && { ...record, epoch: own.get(record.task_id) ?? record.epoch };
      return {
        ...store,
        insert: (record, quota) => {
          own.set(record.task_id, record.epoch);
          return store.insert(record, quota);
        },
        get: async (owner_id, task_id) => asMine(await store.get(owner_id, task_id)),
        replace: async (record, options) => {
          const replaced = await store.replace(record, options);
          return replaced.ok ? replaced : { ok: false, current: asMine(replaced.current) };
        },
      };
    },
  },

  /** A workflow that stores the output of a step when the next one is done. */
  'late mark': {
    tool: ({ run, ...tool }) => ({
      ...tool,
      run: (task) => {
        let kept = {};
        return run({
          ...task,
          variables: () => ({ ...task.variables(), ...kept }),
          setVariables: (patch) => {
            const earlier = kept;
            kept = patch;
            return task.setVariables(earlier);
          },
        });
      },
    }),
  },

  /** Claims tasks without regard to leases. */
  'leases ignored': {
    store: (store) => ({
      ...store,
      insert: (record, quota) => store.insert(withoutHold(record), quota),
      replace: (record, options) => store.replace(withoutHold(record), options),
      claim: (claim) => store.claim({ ...claim, lease_ms: 0 }),
    }),
  },

  /** Uses the clock of its own machine. */
  'own clock': { store: (store) => ({ ...store, now: () => Date.now() }) },
} as const satisfies Record<string, PlantedFault>;

export type Plant = keyof typeof PLANTS;
