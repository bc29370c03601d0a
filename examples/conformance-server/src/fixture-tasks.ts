import type { TaskPart } from '@errand/mcp';
import { createTasks, type JsonObject as Json, type TaskStore, type Tasks } from '@errand/tasks';
import { memoryStore } from '@errand/tasks/memory';
import { TASK_TOOLS } from './task-tools.ts';
import type { FixtureCaller } from './tools.ts';

const POLL_INTERVAL_MS = 200;

/** Opens `memory`, `sqlite:PATH`, `postgres://…` or `redis://…`. */
export async function openStore(place: string): Promise<TaskStore> {
  if (place === 'memory') return memoryStore();
  const [kind] = place.split(':', 1);
  switch (kind) {
    case 'sqlite': {
      const { openSqliteStore } = await import('@errand/tasks/sqlite');
      return await openSqliteStore({ path: place.slice('sqlite:'.length) });
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgresStore } = await import('@errand/tasks/postgres');
      return await openPostgresStore({ url: place });
    }
    case 'redis': {
      const { openRedisStore } = await import('@errand/tasks/redis');
      return await openRedisStore({ url: place });
    }
    default:
      throw new Error(`No store is known by "${place}".`);
  }
}

export const createFixtureTasks = (store: TaskStore, report: (error: unknown) => void): Tasks =>
  createTasks({
    store,
    tools: Object.fromEntries(TASK_TOOLS.map(({ name, work }) => [name, work])),
    limits: { allow_anonymous: true },
    poll_interval_ms: POLL_INTERVAL_MS,
    report,
  });

/** Tasks as the fixture serves them: callers without a token share one name where they have no session. */
export function taskPart(tasks: Tasks): TaskPart<FixtureCaller> {
  const tools = new Map(TASK_TOOLS.map((tool) => [tool.name, tool] as const));
  return {
    tasksOf: () => tasks,
    requestorOf: (token, session_id) => {
      if (token !== null) return { subject: token };
      return session_id === undefined ? { client_id: 'anyone' } : { session_id };
    },
    supportOf: (tool) => tools.get(tool)?.support ?? 'forbidden',
    detailsOf: (tool, _args, { input_responses }) => {
      const immediate_response = tools.get(tool)?.immediate_response;
      return {
        context: { input_responses: input_responses as Json }, // What came as JSON is JSON.
        ...(immediate_response !== undefined && { immediate_response }),
      };
    },
    becomesTask: (tool, { input_responses }) => tool !== 'test_tool_with_task' || 'user_name' in input_responses,
  };
}
