import type { TaskStore } from '../../../packages/tasks/src/store.ts';
import { isTerminal, openInputs, type TaskRecord } from '../../../packages/tasks/src/task.ts';
import { markOf, STEPS, type StepName } from './deploy.ts';
import type { Journal } from './journal.ts';

/** A point in the life of a task at which its worker can be killed or paused. */
export type Point =
  | `${StepName}: ${'before effect' | 'after effect' | 'before write' | 'after write'}`
  | 'question: asked'
  | `end: ${'before write' | 'after write'}`;

export const POINTS: readonly Point[] = [
  ...STEPS.flatMap((step) => [
    ...(step === 'approve' ? (['question: asked'] as const) : []),
    ...(['before effect', 'after effect', 'before write', 'after write'] as const).map(
      (at) => `${step}: ${at}` as const,
    ),
  ]),
  'end: before write',
  'end: after write',
];

export interface Watcher {
  readonly journal: Journal;
  /** Called at every point, before anything else happens. */
  readonly reach: (point: Point, record: TaskRecord) => Promise<void>;
  /** Called after every attempted write, also a failed one. */
  readonly onTried?: (record: TaskRecord) => void;
}

const stepsDone = ({ variables }: TaskRecord): readonly StepName[] => STEPS.filter((step) => markOf(step) in variables);

/** Wraps a store: records every accepted write, and reports the points in a task's life. */
export function watchedStore(store: TaskStore, { journal, reach, onTried }: Watcher): TaskStore {
  const known = new Map<string, TaskRecord>();

  const note = (record: TaskRecord): void => {
    known.set(record.task_id, record);
    const { owner_id, epoch, version } = record;
    journal.add({
      kind: 'write',
      owner_id,
      epoch,
      version,
      steps: stepsDone(record),
      ended: isTerminal(record.status),
    });
  };

  /** Returns what the write of this record changes. */
  const subjectOf = (record: TaskRecord): 'end' | 'question' | StepName | null => {
    if (isTerminal(record.status)) return 'end';
    const before = known.get(record.task_id);
    if (Object.keys(openInputs(record)).length > 0 && Object.keys(before?.inputs ?? {}).length === 0) return 'question';
    return stepsDone(record).find((step) => !(markOf(step) in (before?.variables ?? {}))) ?? null;
  };

  return {
    ...store,
    insert: async (record, quota) => {
      const inserted = await store.insert(record, quota);
      note(record);
      return inserted;
    },
    claim: async (claim) => {
      const claimed = await store.claim(claim);
      claimed.forEach(note);
      return claimed;
    },
    replace: async (record, options) => {
      const subject = subjectOf(record);
      if (subject !== null && subject !== 'question') await reach(`${subject}: before write`, record);
      const replaced = await store.replace(record, options).finally(() => onTried?.(record));
      if (!replaced.ok) return replaced;
      note(record);
      if (subject !== null) await reach(subject === 'question' ? 'question: asked' : `${subject}: after write`, record);
      return replaced;
    },
  };
}
