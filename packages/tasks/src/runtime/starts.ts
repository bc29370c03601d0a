import type { Change } from '#changes';
import type { TaskRecord } from '#task';

/** Counts the starts after which the worker did not hand the task back. */
export const failedStarts = ({ epoch, handed_back }: TaskRecord): number => epoch - handed_back;

/** True when an earlier worker has started the handler. */
export const hasBegunBefore = ({ epoch, unstarted }: TaskRecord): boolean => epoch - unstarted > 1;

/** Gives up the lease, so that another worker can claim the task. */
export const handBack =
  (begun: boolean): Change =>
  (record) =>
    record.lease === null
      ? record
      : {
          ...record,
          lease: null,
          handed_back: record.handed_back + 1,
          unstarted: record.unstarted + (begun ? 0 : 1),
        };
