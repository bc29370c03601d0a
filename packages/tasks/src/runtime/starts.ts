import type { Change } from '#changes';
import type { TaskRecord } from '#task';

/** Starts that nobody gave up in good order. */
export const failedStarts = ({ epoch, handed_back }: TaskRecord): number => epoch - handed_back;

/** Gives a task back for another worker to take. */
export const handBack: Change = (record) =>
  record.lease === null ? record : { ...record, lease: null, handed_back: record.handed_back + 1 };
