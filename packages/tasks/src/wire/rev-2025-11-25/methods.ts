import { TaskError } from '#errors';
import type { JsonObject } from '#json';
import { type Requestor, resolveOwner } from '#owner';
import { RpcFailure } from '#rpc-failure';
import { openInputs } from '#task';
import type { ClientTasks } from '#tasks';
import { fits } from '#wire/answers';
import { answering } from '#wire/json-rpc';
import { readTaskId, readToolCall } from '#wire/params';
import type { TaskSupport } from './capabilities.ts';
import { followTask, hasEnded, type Stream } from './follow-task.ts';
import { readListParams, readWish } from './params.ts';
import { readAnswer, readQuestionId } from './questions.ts';
import { encodeResult } from './result.ts';
import {
  type CreateTaskResult,
  encodeCreated,
  encodeTaskWithVariables,
  type ListTasksResult,
  type TaskWithVariables,
} from './task.ts';

export interface TaskMethodRequest {
  readonly params: unknown;
  readonly requestor: Requestor;
}

export interface TaskCallRequest extends TaskMethodRequest {
  readonly task_support: TaskSupport;
  /** The text that the model gets while the task runs. */
  readonly immediate_response?: string;
  readonly context?: JsonObject;
  readonly variables?: JsonObject;
}

export interface ClientResponse {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The methods of tasks. Each returns a result, or throws an `RpcFailure` with the JSON-RPC error to send. */
export interface TaskMethods2025 {
  readonly get: (request: TaskMethodRequest) => Promise<TaskWithVariables>;
  /** Resolves when the task has ended. Until then it sends the task's news on the stream. */
  readonly result: (request: TaskMethodRequest, stream?: Stream) => Promise<JsonObject>;
  readonly list: (request: TaskMethodRequest) => Promise<ListTasksResult>;
  readonly cancel: (request: TaskMethodRequest) => Promise<TaskWithVariables>;
  /** Creates the task that `tools/call` asks for; null when it asks for none and is a plain call. */
  readonly call: (request: TaskCallRequest) => Promise<CreateTaskResult | null>;
  /** Takes the response to a question. Resolves to false when it is the response to another request. */
  readonly answer: (response: ClientResponse, requestor: Requestor) => Promise<boolean>;
}

export function createTaskMethods2025({ tasks }: { readonly tasks: ClientTasks }): TaskMethods2025 {
  const ownerOf = (requestor: Requestor): string => resolveOwner(requestor, tasks.limits);

  return {
    get: ({ params, requestor }) =>
      answering(async () => encodeTaskWithVariables(await tasks.get(ownerOf(requestor), readTaskId(params)))),

    result: ({ params, requestor }, stream = {}) =>
      answering(async () => {
        const owner_id = ownerOf(requestor);
        const task = await tasks.get(owner_id, readTaskId(params));
        const ended = hasEnded(task) ? task : await followTask(tasks, owner_id, task.task_id, stream);
        const answer = encodeResult(ended);
        if ('result' in answer) return answer.result;
        const { code, message, data } = answer.error;
        throw new RpcFailure(code, message, data && { data });
      }),

    list: ({ params, requestor }) =>
      answering(async () => {
        const page = await tasks.list(ownerOf(requestor), readListParams(params));
        const more = page.next_cursor === null ? {} : { nextCursor: page.next_cursor };
        return { tasks: page.tasks.map(encodeTaskWithVariables), ...more };
      }),

    cancel: ({ params, requestor }) =>
      answering(async () => encodeTaskWithVariables(await tasks.cancel(ownerOf(requestor), readTaskId(params)))),

    call: ({ params, requestor, task_support, ...rest }) =>
      answering(async () => {
        const wish = readWish(params, task_support);
        if (wish === null) return null;
        const task = { ...rest, ...readToolCall(params), owner_id: ownerOf(requestor), ttl_ms: wish.ttl };
        return encodeCreated(await tasks.create(task));
      }),

    answer: async (response, requestor) => {
      const asked = readQuestionId(response.id);
      if (asked === null) return false;
      try {
        await takeAnswer(tasks, ownerOf(requestor), { ...asked, answer: readAnswer(response) });
      } catch (error) {
        // A late response is ignored: a response has no answer that could carry an error.
        if (!(error instanceof TaskError && error.code === 'not_found')) throw error;
      }
      return true;
    },
  };
}

interface Answer {
  readonly task_id: string;
  readonly key: string;
  readonly answer: JsonObject | null;
}

/** Takes an answer. One of the wrong form leaves the question open. */
async function takeAnswer(tasks: ClientTasks, owner_id: string, { task_id, key, answer }: Answer): Promise<void> {
  if (answer === null) return;
  const open = openInputs(await tasks.get(owner_id, task_id));
  const question = Object.hasOwn(open, key) ? open[key] : undefined;
  if (question === undefined || !fits(question, answer)) return;
  await tasks.answer(owner_id, task_id, { [key]: answer });
}
