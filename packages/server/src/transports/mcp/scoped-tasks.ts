import { TaskError, type TaskRecord, type Tasks } from '@errand/tasks';
import type { Gateway } from '#gateway/gateway';

/** What a caller may do, and for whom. */
export interface Rights {
  readonly scope_key: string;
  /** Equal for callers who may speak for the same people: `self`, `*`, or their ids. */
  readonly acts_for: string;
  /** The projects that they reach. */
  readonly reach_key: string;
}

/** Who asks, and with which rights: one text, since owners of tasks are texts. */
export const scopedOwner = (principal_id: string, { acts_for, reach_key, scope_key }: Rights): string =>
  `${principal_id} ${acts_for} ${reach_key} ${scope_key}`;

interface Asker {
  readonly owner_id: string;
  readonly acts_for: string;
  readonly reach_key: string;
  readonly scopes: ReadonlySet<string>;
}

function readOwner(scoped: string): Asker {
  const [owner_id = '', acts_for = '', reach_key = '', ...scopes] = scoped.split(' ');
  return { owner_id, acts_for, reach_key, scopes: new Set(scopes) };
}

/** What someone must hold who asks for a task. */
export interface Needed {
  readonly scopes: readonly string[];
  /** For whom its maker could speak. */
  readonly acts_for: string;
  /** The projects that its maker reached; null when it is about none. */
  readonly reach_key: string | null;
}

/**
 * Tasks for owners with several tokens: each finds those that it could have made itself, or a result would tell a narrow
 * token what a wide one has read. Owners are those of `scopedOwner`; `neededFor` is null for a task that nobody could
 * have made.
 */
export function createScopedTasks(
  tasks: Tasks,
  covers: Gateway['covers'],
  neededFor: (task: TaskRecord) => Needed | null,
): Tasks {
  function isSeen({ scopes, acts_for, reach_key }: Asker, task: TaskRecord): boolean {
    const needed = neededFor(task);
    if (needed === null || !needed.scopes.every((scope) => scopes.has(scope))) return false;
    if (needed.reach_key !== null && !covers({ reach_key }, needed.reach_key)) return false;
    return needed.acts_for === 'self' || acts_for === '*' || acts_for === needed.acts_for;
  }

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
