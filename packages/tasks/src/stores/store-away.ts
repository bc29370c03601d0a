import { TaskError } from '#errors';

/** What the backend or its driver said, in words for the caller. */
export const storeAway = (cause: unknown): TaskError =>
  new TaskError('store_unavailable', 'The task store is away. Try again.', { cause });

/** Trying again does not help before the files are back or the process is started again. */
export const storeReplaced = (cause: Error): TaskError =>
  new TaskError(
    'store_unavailable',
    'The files of the task store were removed, moved or replaced while in use. Tasks are refused: they would be lost.',
    { cause },
  );

export const storeClosed = (): TaskError => storeAway(new Error('The store is closed.'));
