import { createTasks } from '../../../packages/tasks/src/create-tasks.ts';
import type { Tasks } from '../../../packages/tasks/src/tasks.ts';
import { ANSWERS } from './deploy.ts';
import { openPlace, type Place } from './place.ts';

/** Tasks as a process sees them that makes them and asks for them, and leaves the work to others. */
export async function openObserver(
  place: Place,
  poll_interval_ms: number,
  { deaf = false }: { readonly deaf?: boolean } = {},
): Promise<Tasks> {
  const store = await openPlace(place);
  return createTasks({
    store: deaf ? { ...store, subscribe: () => () => undefined } : store,
    tools: { deploy: async () => ({}) },
    worker: false,
    poll_interval_ms,
  });
}

/** Answers what the task asks, as soon as it asks. */
export const answerAll = (observer: Tasks, owner_id: string, task_id: string): (() => void) =>
  observer.watch(owner_id, task_id, (task) => {
    // An answer that fails leaves a task that does not end, which is found by that.
    if (task?.status === 'input_required') observer.answer(owner_id, task_id, ANSWERS).catch(() => undefined);
  });
