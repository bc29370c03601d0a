import type { Change } from '#changes';
import type { TaskRecord } from '#task';

/** Starts that nobody gave up in good order. */
export const failedStarts = ({ epoch, handed_back }: TaskRecord): number => epoch - handed_back;

/** Whether somebody has begun with the work before whoever holds the task now. */
export const hasBegunBefore = ({ epoch, unstarted }: TaskRecord): boolean => epoch - unstarted > 1;

/** Gives a task back for another worker to take. */
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
