import {
  createTasks,
  type Requestor,
  type JsonObject as TaskJson,
  type TaskStore,
  type Tasks,
  type TasksOptions,
} from '@errand/tasks';
import { memoryStore } from '@errand/tasks/memory';
import type { Report } from '#failures';
import type { TaskPart } from '#host';
import type { Tool } from './tool.ts';

export interface TaskOptions<Caller> extends Partial<Pick<TasksOptions, 'limits' | 'worker' | 'poll_interval_ms'>> {
  /** The store for tasks. Without it, tasks are in memory and end with the process. */
  readonly store?: TaskStore;
  /**
   * The requestor of a caller. By default a caller that is a string is its own name, and any other is known by its
   * session; a caller without either has no tasks.
   */
  readonly requestorOf?: (caller: Caller, session_id: string | undefined) => Requestor;
}

export interface ServerTasks<Caller> {
  readonly part: TaskPart<Caller>;
  readonly tasks: Tasks;
}

const ownName = (caller: unknown, session_id: string | undefined): Requestor => {
  if (typeof caller === 'string') return { subject: caller };
  return session_id === undefined ? {} : { session_id };
};

/** Runs the calls of tools with `work` as tasks; null for a server without such a tool. */
export function createServerTasks<Caller>(
  tools: ReadonlyMap<string, Tool<Caller>>,
  options: TaskOptions<Caller>,
  report: Report,
): ServerTasks<Caller> | null {
  const working = [...tools].flatMap(([name, { work }]) => (work === null ? [] : [[name, work] as const]));
  if (working.length === 0) return null;
  const { store = memoryStore(), requestorOf = ownName, ...rest } = options;
  const tasks = createTasks({ ...rest, store, tools: Object.fromEntries(working), report: (error) => report(error) });

  return {
    tasks,
    part: {
      tasksOf: () => tasks,
      requestorOf,
      supportOf: (name) => tools.get(name)?.support ?? 'forbidden',
      detailsOf: (name, _args, { input_responses }) => {
        const begun = tools.get(name)?.begun;
        return {
          // The value came as JSON.
          context: { input_responses: input_responses as TaskJson },
          ...(begun !== undefined && { immediate_response: begun }),
        };
      },
      becomesTask: (name, call) => tools.get(name)?.becomesTask(call) ?? false,
    },
  };
}
