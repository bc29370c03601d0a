import { TaskError } from '#errors';

/** Turns an error of the backend or its driver into an error for the caller. */
export const storeAway = (cause: unknown): TaskError =>
  new TaskError('store_unavailable', 'The task store is away. Try again.', { cause });

/** The error for removed files. It is not retryable until the files are back or the process is restarted. */
export const storeReplaced = (cause: Error): TaskError =>
  new TaskError(
    'store_unavailable',
    'The files of the task store were removed, moved or replaced while in use. Tasks are refused: they would be lost.',
    { cause },
  );

export const storeClosed = (): TaskError => storeAway(new Error('The store is closed.'));
