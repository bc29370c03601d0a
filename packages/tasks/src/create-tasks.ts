import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer, ask, type Change, end, fitting, outcomeOf, setDraft, setStatus, setVariables } from './changes.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { TaskError, taskNotFound } from './errors.ts';
import { asJson, type JsonObject } from './json.ts';
import { DEFAULT_LIMITS, grantTtl } from './limits.ts';
import { createChangeTask } from './runtime/change-task.ts';
import { checkOptions } from './runtime/check-options.ts';
import { createTrimming } from './runtime/trimming.ts';
import { createWatching } from './runtime/watching.ts';
import { createWorker } from './runtime/worker.ts';
import type { Inserted } from './store.ts';
import type { Lease, TaskRecord } from './task.ts';
import type { TaskRequest, Tasks, TasksOptions, TaskTool } from './tasks.ts';
import { checkVariables, mergeVariables } from './variables.ts';

const PAGE = 50;
const MAX_PER_PAGE = 200;
const SWEEP_EVERY_MS = 60_000;
const MAX_SWEPT = 500;

/** Creates the task runtime: the rules of tasks on top of a store, with a worker. */
export function createTasks(options: TasksOptions): Tasks {
  checkOptions(options);
  const { store, poll_interval_ms = 1_000 } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const tools = new Map(Object.entries(options.tools).map(([name, tool]) => [name, toTool(tool)] as const));
  const changeTask = createChangeTask(store);
  const trimming = createTrimming({ store, most: limits.max_finished_per_owner, report });
  const watching = createWatching({ store, poll_interval_ms, report });
  const worker =
    options.worker === false
      ? null
      : createWorker({ store, tools, options: options.worker ?? {}, poll_interval_ms, limits, changeTask, report });
  const unsubscribe = store.subscribe(({ task_id, claimable }) => {
    watching.signal(task_id);
    worker?.signal(task_id, claimable);
  });
  const sweeping = setInterval(
    () => void cleanupExpired().catch((error) => report(error, null)),
    SWEEP_EVERY_MS,
  ).unref();

  // A `report` function that throws must not change the outcome of the operation that calls it.
  function report(error: unknown, task_id: string | null): void {
    try {
      options.report?.(error, task_id);
    } catch {
      // There is nowhere left to report it.
    }
  }

  async function create(request: TaskRequest): Promise<TaskRecord> {
    if (!tools.has(request.tool)) throw new TaskError('unsupported', `No tool "${request.tool}" runs as a task here.`);
    // Check the whole request before taking a slot.
    const args = copyOf(request.arguments);
    const context = asJson(request.context ?? {});
    const variables = mergeVariables({}, asJson(request.variables ?? {}));
    checkVariables(variables, limits);
    const ttl_ms = grantTtl(request.ttl_ms, limits);
    const slot = worker?.reserve(request.tool) ?? null;
    const lease = slot?.lease ?? null;
    const record = newRecord(
      { ...request, arguments: args, context, variables },
      { ttl_ms, lease, now: store.now(), poll_interval_ms },
    );
    let isMade = false;
    try {
      mustBeInserted(await store.insert(record, limits.max_tasks_per_owner));
      isMade = true;
    } finally {
      slot?.settle(isMade ? record : null);
    }
    trimming.count(record.owner_id);
    return record;
  }

  /** Copies the arguments: the caller may change its own object while the task runs. */
  function copyOf(args: JsonObject): JsonObject {
    const bytes = Buffer.byteLength(JSON.stringify(args));
    if (bytes <= limits.max_arguments_bytes) return asJson(args);
    throw new TaskError(
      'invalid_params',
      `The arguments of a task may have ${limits.max_arguments_bytes} bytes of JSON at most, and these have ${bytes}.`,
    );
  }

  function mustBeInserted(inserted: Inserted): void {
    if (inserted === 'exists') throw new TaskError('internal', 'The id of the task was taken.');
    if (inserted === 'inserted') return;
    throw new TaskError(
      'quota_exceeded',
      `You have ${limits.max_tasks_per_owner} unfinished tasks, the most that are allowed. Wait for one to end, or cancel one.`,
    );
  }

  async function get(owner_id: string, task_id: string): Promise<TaskRecord> {
    const record = await store.get(owner_id, task_id);
    if (record === null) throw taskNotFound();
    return record;
  }

  async function cleanupExpired(): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await store.sweep(MAX_SWEPT);
      removed += count;
      if (count < MAX_SWEPT) return removed;
      await sleep(0);
    }
  }

  const change = (owner_id: string, task_id: string, by: Change): Promise<TaskRecord> =>
    changeTask(owner_id, task_id, by);

  const close: Tasks['close'] = async ({ grace_ms = 5_000 } = {}) => {
    clearInterval(sweeping);
    await worker?.close(grace_ms);
    watching.close();
    unsubscribe();
    await trimming.settled();
    await store.close();
  };

  return {
    limits,
    store,
    knows: (tool) => tools.has(tool),
    create,
    get,
    list: async (owner_id, { cursor, limit = PAGE } = {}) => {
      const after = cursor === undefined ? null : decodeCursor(owner_id, cursor);
      const size = Math.min(Math.max(1, limit), MAX_PER_PAGE);
      const found = await store.list(owner_id, after, size + 1);
      const tasks = found.slice(0, size);
      const last = tasks.at(-1);
      return { tasks, next_cursor: found.length > size && last ? encodeCursor(owner_id, last) : null };
    },
    cancel: (owner_id, task_id, message = 'The task was cancelled by request.') =>
      change(owner_id, task_id, end({ kind: 'cancelled' }, message)),
    answer: (owner_id, task_id, answers) => change(owner_id, task_id, answer(answers)),
    updateStatus: (owner_id, task_id, status, message) =>
      change(owner_id, task_id, setStatus(status, message ?? null, limits)),
    setVariables: (owner_id, task_id, patch) => change(owner_id, task_id, setVariables(patch, limits)),
    setResult: (owner_id, task_id, result) => change(owner_id, task_id, setDraft(result)),
    getResult: async (owner_id, task_id) => {
      const { outcome } = await get(owner_id, task_id);
      if (outcome === null) throw new TaskError('invalid_params', 'The task has not ended yet.');
      return outcome;
    },
    completeWithResult: (owner_id, task_id, result) =>
      change(owner_id, task_id, end(fitting(outcomeOf(result), limits))),
    requireInput: (owner_id, task_id, key, request) => change(owner_id, task_id, ask(key, request, limits)),
    wait: (owner_id, task_id, options = {}) => watching.wait(owner_id, task_id, options),
    watch: watching.watch,
    cleanupExpired,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

const toTool = (tool: TasksOptions['tools'][string]): TaskTool => (typeof tool === 'function' ? { run: tool } : tool);

interface Granted {
  readonly ttl_ms: number | null;
  readonly lease: Lease | null;
  readonly now: number;
  readonly poll_interval_ms: number;
}

function newRecord(request: TaskRequest, { ttl_ms, lease, now, poll_interval_ms }: Granted): TaskRecord {
  return {
    task_id: randomUUID(),
    owner_id: request.owner_id,
    request: {
      method: request.method ?? 'tools/call',
      tool: request.tool,
      arguments: request.arguments,
      progress_token: request.progress_token ?? null,
    },
    context: request.context ?? {},
    status: 'working',
    status_message: null,
    outcome: null,
    draft: null,
    inputs: {},
    variables: request.variables ?? {},
    progress: null,
    immediate_response: request.immediate_response ?? null,
    ttl_ms,
    poll_interval_ms,
    created_at: now,
    updated_at: now,
    version: 1,
    // A runtime with a free slot is the first worker of the task that it creates. This saves a claim.
    epoch: lease === null ? 0 : 1,
    handed_back: 0,
    unstarted: 0,
    lease,
  };
}
