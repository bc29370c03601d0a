import { TaskError, type TaskRecord, type Tasks } from '@errand/tasks';

/** Who asks, and what they may do: one text, since owners of tasks are texts. */
export const scopedOwner = (principal_id: string, scope_key: string): string => `${principal_id} ${scope_key}`;

interface Asker {
  readonly owner_id: string;
  readonly scopes: ReadonlySet<string>;
}

function readOwner(scoped: string): Asker {
  const [owner_id = '', ...scopes] = scoped.split(' ');
  return { owner_id, scopes: new Set(scopes) };
}

/**
 * Tasks for owners with several tokens: each finds those whose tool it may call itself, or a result would tell a narrow
 * token what a wide one has read. Owners are those of `scopedOwner`; `scopeOf` is what a task needs, null for none that
 * could be called.
 */
export function createScopedTasks(tasks: Tasks, scopeOf: (task: TaskRecord) => string | null): Tasks {
  const isSeen = ({ scopes }: Asker, task: TaskRecord): boolean => scopes.has(scopeOf(task) ?? '');

  async function get(scoped: string, task_id: string): Promise<TaskRecord> {
    const asker = readOwner(scoped);
    const task = await tasks.get(asker.owner_id, task_id);
    // In the words of the library, so that nobody can tell it from a task that there is not.
    if (!isSeen(asker, task)) throw new TaskError('not_found', 'Task not found.');
    return task;
  }

  async function ownerSeeing(scoped: string, task_id: string): Promise<string> {
    return (await get(scoped, task_id)).owner_id;
  }

  return {
    ...tasks,
    create: (request) => tasks.create({ ...request, owner_id: readOwner(request.owner_id).owner_id }),
    get,
    list: async (scoped, page) => {
      const asker = readOwner(scoped);
      const found = await tasks.list(asker.owner_id, page);
      return { ...found, tasks: found.tasks.filter((task) => isSeen(asker, task)) };
    },
    cancel: async (scoped, task_id, message) =>
      tasks.cancel(await ownerSeeing(scoped, task_id), task_id, ...(message === undefined ? [] : [message])),
    answer: async (scoped, task_id, answers) => tasks.answer(await ownerSeeing(scoped, task_id), task_id, answers),
    wait: async (scoped, task_id, options) => tasks.wait(await ownerSeeing(scoped, task_id), task_id, options),
    watch: (scoped, task_id, listener) => {
      const asker = readOwner(scoped);
      return tasks.watch(asker.owner_id, task_id, (task) =>
        listener(task !== null && isSeen(asker, task) ? task : null),
      );
    },
  };
}
