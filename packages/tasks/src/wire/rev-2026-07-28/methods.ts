import { TaskError } from '#errors';
import type { JsonObject } from '#json';
import { type Requestor, resolveOwner } from '#owner';
import { openInputs, type TaskRecord } from '#task';
import type { ClientTasks } from '#tasks';
import { fits } from '#wire/answers';
import { answering, invalidParams, type RpcNotification } from '#wire/json-rpc';
import { readTaskId, readToolCall } from '#wire/params';
import { declaresTasks, missingCapability } from './extension.ts';
import { readTaskIds, readUpdate, type Update } from './params.ts';
import {
  ACK,
  type Acknowledgement,
  type CreateTaskResult,
  encodeCreated,
  encodeDetailed,
  encodeNotification,
  type GetTaskResult,
} from './task.ts';

export interface TaskMethodRequest {
  readonly params: unknown;
  readonly requestor: Requestor;
  /** The capabilities that the request itself declares. */
  readonly client_capabilities: unknown;
}

export interface TaskCallRequest extends TaskMethodRequest {
  /** Whether the tool answers with a task never, when the client allows it, or always. */
  readonly task_support: 'forbidden' | 'optional' | 'required';
  readonly ttl_ms?: number | null;
  readonly context?: JsonObject;
  readonly variables?: JsonObject;
}

export interface TaskSubscription {
  /** The requested ids that belong to the requestor, for the acknowledgement. */
  readonly task_ids: readonly string[];
  /** Sends each task now and at every change, with `meta` in `_meta`. Returns a function that stops it. */
  readonly follow: (tell: (notification: RpcNotification) => void, meta?: JsonObject) => () => void;
}

/** The methods of tasks. Each returns a result, or throws an `RpcFailure` with the JSON-RPC error to send. */
export interface TaskMethods2026 {
  readonly get: (request: TaskMethodRequest) => Promise<GetTaskResult>;
  readonly update: (request: TaskMethodRequest) => Promise<Acknowledgement>;
  readonly cancel: (request: TaskMethodRequest) => Promise<Acknowledgement>;
  /** Creates the task that answers `tools/call`; null when it is a plain call. */
  readonly call: (request: TaskCallRequest) => Promise<CreateTaskResult | null>;
  /** Takes the params of `subscriptions/listen`. */
  readonly subscribe: (request: TaskMethodRequest) => Promise<TaskSubscription>;
}

export function createTaskMethods2026({ tasks }: { readonly tasks: ClientTasks }): TaskMethods2026 {
  /** Returns the owner. Checks the extension first: a client that does not declare it learns nothing about tasks. */
  function ownerOf({ requestor, client_capabilities }: TaskMethodRequest): string {
    if (!declaresTasks(client_capabilities)) throw missingCapability();
    return resolveOwner(requestor, tasks.limits);
  }

  return {
    get: (request) =>
      answering(async () => encodeDetailed(await tasks.get(ownerOf(request), readTaskId(request.params)))),

    update: (request) =>
      answering(async () => {
        const owner_id = ownerOf(request);
        const update = readUpdate(request.params);
        checkAnswers(await tasks.get(owner_id, update.task_id), update);
        await tasks.answer(owner_id, update.task_id, update.answers);
        return ACK;
      }),

    cancel: (request) =>
      answering(async () => {
        try {
          await tasks.cancel(ownerOf(request), readTaskId(request.params));
        } catch (error) {
          if (!(error instanceof TaskError && error.code === 'invalid_transition')) throw error;
        }
        return ACK;
      }),

    call: (request) =>
      answering(async () => {
        const { params, task_support, ttl_ms, context, variables } = request;
        const isPlain = task_support === 'optional' && !declaresTasks(request.client_capabilities);
        if (task_support === 'forbidden' || isPlain) return null;
        const { tool, arguments: args } = readToolCall(params);
        const kept = { ...(context && { context }), ...(variables && { variables }) };
        return encodeCreated(
          await tasks.create({ ...kept, owner_id: ownerOf(request), tool, arguments: args, ttl_ms }),
        );
      }),

    subscribe: (request) =>
      answering(async () => {
        const asked = readTaskIds(request.params);
        if (asked === undefined) return { task_ids: [], follow: () => () => undefined };
        const owner_id = ownerOf(request);
        const found = await Promise.all(asked.map((task_id) => has(tasks, owner_id, task_id)));
        const task_ids = asked.filter((_, at) => found[at]);
        return { task_ids, follow: (tell, meta) => followAll(tasks, { owner_id, task_ids, tell, meta }) };
      }),
  };
}

async function has(tasks: ClientTasks, owner_id: string, task_id: string): Promise<boolean> {
  try {
    await tasks.get(owner_id, task_id);
    return true;
  } catch (error) {
    if (error instanceof TaskError && error.code === 'not_found') return false;
    throw error;
  }
}

function checkAnswers(record: TaskRecord, { answers }: Update): void {
  for (const [key, question] of Object.entries(openInputs(record))) {
    const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
    if (answer !== undefined && !fits(question, answer)) {
      throw invalidParams(`inputResponses.${key} is no answer to ${question.method}.`);
    }
  }
}

interface Following {
  readonly owner_id: string;
  readonly task_ids: readonly string[];
  readonly tell: (notification: RpcNotification) => void;
  readonly meta: JsonObject | undefined;
}

function followAll(tasks: ClientTasks, { owner_id, task_ids, tell, meta }: Following): () => void {
  const stops = task_ids.map((task_id) =>
    tasks.watch(owner_id, task_id, (task) => {
      if (task !== null) tell(encodeNotification(task, meta));
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
