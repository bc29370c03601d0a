import { createTasks, TaskError, type TaskLimits, type TaskStore, type Tasks } from '@errand/tasks';
import type { TaskStoreChoice } from '#config';
import { ErrandError, isDatabaseError } from '#errors';
import type { Gateway } from '#gateway/gateway';
import { createFailureSeries } from '#observability/failure-series';
import type { Log } from '#observability/log';
import type { Installation } from '#services/installation';
import { catalog } from '#tools/catalog';
import { createTaskTools } from '#transports/mcp/catalog-tasks';

export interface TasksNeeds {
  readonly store: TaskStoreChoice;
  readonly gateway: Gateway;
  readonly installation: Pick<Installation, 'workspace_id'>;
  readonly log: Log;
  /** Whether callers without a token may have tasks, each within its own session. */
  readonly allow_anonymous?: boolean;
  /** The limits that were set. */
  readonly limits?: Partial<TaskLimits>;
}

/** The tasks of a host, and how to check and close them. */
export interface OpenedTasks {
  readonly tasks: Tasks;
  readonly namespace: string;
  /** Rejects when the task store would lose changes. */
  readonly check: () => Promise<void>;
}

/** The size of the longest message to an agent, in the longest UTF-8 characters. */
const LIMITS = { max_arguments_bytes: 524_288 };

/**
 * Nearly all running tasks follow a run for hours: they wait, and read only when the run has changed. Each of them
 * occupies a slot, and one owner can have 100: with few slots, a handful of owners would keep the tasks of all
 * others from starting. They are resumed after every restart, and a long run may see many restarts.
 */
const WORKER = { concurrency: 4_000, max_attempts: 1_000 };

/** A task that does not end within moments follows a run, and the next process resumes it. */
const GRACE_MS = 500;

/** Longer than an unanswered query to Postgres (5 s), a new connection (3 s) and the pause between them. */
const AWAY_OVER_AFTER_MS = 10_000;

/** Loads only the chosen driver. */
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

function reasonOf(error: unknown): string {
  const reason = error instanceof TaskError ? error.cause : error;
  return reason instanceof Error && reason.message !== '' ? reason.message : 'it cannot be reached';
}

function cannotOpen({ kind }: TaskStoreChoice, error: unknown): ErrandError {
  const words = reasonOf(error);
  return new ErrandError(
    'database_error',
    `The store of tasks (ERRAND_TASK_STORE, ${kind}) cannot be opened: ${words}`,
    {
      cause: error,
    },
  );
}

/** Logs once that the task store fails, and once that it works again: it is asked every second. */
function reportTo(log: Log): (error: unknown, task_id: string | null) => void {
  const away = createFailureSeries({
    onBegin: (error) => log.error(`The store of tasks is away: ${reasonOf(error)}`),
    onEnd: () => log.info('The store of tasks works again.'),
    over_after_ms: AWAY_OVER_AFTER_MS,
  });
  return (error, task_id) => {
    if (error instanceof TaskError && error.code === 'store_unavailable') away.failed(error);
    else if (!isDatabaseError(error)) log.error('a task failed', { task_id, error });
  };
}

/** Opens the task store, and resumes the tasks that an earlier process left unfinished. */
export async function openTasks({
  store: choice,
  gateway,
  installation,
  log,
  allow_anonymous = false,
  limits,
}: TasksNeeds): Promise<OpenedTasks> {
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
    limits: { ...LIMITS, ...limits, allow_anonymous },
    worker: WORKER,
    report: reportTo(log),
  });
  return {
    tasks: { ...tasks, close: (options) => tasks.close({ grace_ms: GRACE_MS, ...options }) },
    namespace,
    check: async () => store.check?.(),
  };
}
