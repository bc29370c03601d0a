import { type ClientTasks, TaskError, type TaskRecord } from '@errand/tasks';

/** The tasks that one caller sees. A task that `sees` refuses gets the same answer as one that does not exist. */
export function seenTasks(tasks: ClientTasks, sees: (task: TaskRecord) => boolean): ClientTasks {
  async function get(owner_id: string, task_id: string): Promise<TaskRecord> {
    const task = await tasks.get(owner_id, task_id);
    if (!sees(task)) throw new TaskError('not_found', 'Task not found.');
    return task;
  }

  return {
    limits: tasks.limits,
    create: tasks.create,
    get,
    list: async (owner_id, page) => {
      const found = await tasks.list(owner_id, page);
      return { ...found, tasks: found.tasks.filter(sees) };
    },
    cancel: async (owner_id, task_id, message) => {
      await get(owner_id, task_id);
      return await tasks.cancel(owner_id, task_id, message);
    },
    answer: async (owner_id, task_id, answers) => {
      await get(owner_id, task_id);
      return await tasks.answer(owner_id, task_id, answers);
    },
    wait: async (owner_id, task_id, options) => {
      await get(owner_id, task_id);
      return await tasks.wait(owner_id, task_id, options);
    },
    watch: (owner_id, task_id, listener) =>
      tasks.watch(owner_id, task_id, (task) => listener(task !== null && sees(task) ? task : null)),
  };
}
