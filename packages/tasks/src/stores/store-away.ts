import { TaskError } from '#errors';

/** Whatever the backend or its driver said, in the words for whoever asked. */
export const storeAway = (cause: unknown): TaskError =>
  new TaskError('store_unavailable', 'The task store is away. Try again.', { cause });

export const storeClosed = (): TaskError => storeAway(new Error('The store is closed.'));
