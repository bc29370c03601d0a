import { createTasks, TaskError, type TaskStore, type Tasks } from '@errand/tasks';
import type { TaskStoreChoice } from '#config';
import { ErrandError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import type { Log } from '#observability/log';
import type { Installation } from '#services/installation';
import { catalog } from '#tools/catalog';
import { createTaskTools } from '#transports/mcp/catalog-tasks';

export interface TasksNeeds {
  readonly store: TaskStoreChoice;
  readonly gateway: Gateway;
  readonly installation: Pick<Installation, 'workspace_id'>;
  readonly log: Log;
}

/** What a host needs to run its calls as tasks. */
export interface OpenedTasks {
  readonly tasks: Tasks;
  readonly namespace: string;
}

/** The longest message to an agent, in the longest letters, and no more. */
const LIMITS = { max_arguments_bytes: 524_288 };

/**
 * Nearly all of those that go on follow a run for hours: they only wait, and look when something of it was changed.
 * Each has a slot meanwhile, of which an owner can take 100: with few slots, a handful of owners would keep everyone
 * else's tasks from beginning. They are taken up again after every restart, however many there are during a run.
 */
const WORKER = { concurrency: 4_000, max_attempts: 1_000 };

/** Whatever does not end within moments follows a run, and is taken up by the next process. */
const GRACE_MS = 500;

/** Only the driver that is chosen is loaded. */
async function openTaskStore(choice: TaskStoreChoice, log: Log): Promise<TaskStore> {
  switch (choice.kind) {
    case 'memory':
      return (await import('@errand/tasks/memory')).memoryStore();
    case 'sqlite':
      return (await import('@errand/tasks/sqlite')).openSqliteStore({ path: choice.path });
    case 'postgres':
      return (await import('@errand/tasks/postgres')).openPostgresStore({ url: choice.url });
    case 'redis':
      return (await import('@errand/tasks/redis')).openRedisStore({
        url: choice.url,
        report: (error) => log.warn('task store', { error }),
      });
    case 'dynamodb':
      return (await import('@errand/tasks/dynamodb')).openDynamoDbStore({ table: choice.table });
  }
}

function cannotOpen({ kind }: TaskStoreChoice, error: unknown): ErrandError {
  const reason = error instanceof TaskError ? error.cause : error;
  const words = reason instanceof Error && reason.message !== '' ? reason.message : 'it cannot be reached';
  return new ErrandError(
    'database_error',
    `The store of tasks (ERRAND_TASK_STORE, ${kind}) cannot be opened: ${words}`,
    {
      cause: error,
    },
  );
}

/** Opens the store of tasks, and takes up what an earlier process left unfinished. */
export async function openTasks({ store: choice, gateway, installation, log }: TasksNeeds): Promise<OpenedTasks> {
  const namespace = installation.workspace_id;
  const store = await openTaskStore(choice, log).catch((error: unknown) => {
    throw cannotOpen(choice, error);
  });
  const tasks: Tasks = createTasks({
    store,
    tools: createTaskTools({
      gateway,
      tools: catalog,
      namespace,
      settle: (owner_id, task_id, answers) => tasks.answer(owner_id, task_id, answers),
    }),
    limits: LIMITS,
    worker: WORKER,
    report: (error, task_id) => log.error('a task failed', { task_id, error }),
  });
  return { tasks: { ...tasks, close: (options) => tasks.close({ grace_ms: GRACE_MS, ...options }) }, namespace };
}
