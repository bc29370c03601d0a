import { isObject, type JsonObject } from '#json';
import type { InputRequest, TaskRecord } from '#task';
import { withMeta } from '#wire/meta';
import { isTaskId } from '#wire/params';
import { relatedTask } from './task.ts';

/** A request of the server. The sender adds `jsonrpc`. */
export type Question = { readonly id: string; readonly method: InputRequest['method']; readonly params: JsonObject };

const PREFIX = 'task-input:';

/**
 * Encodes the question of a key as a request. The id names task and key, so that any process can take the answer, and
 * asking again after a lost stream sends the same request.
 */
export function encodeQuestion({ task_id, inputs }: TaskRecord, key: string): Question | null {
  const input = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
  if (input === undefined) return null;
  const { method, params } = input.request;
  return { id: `${PREFIX}${task_id}:${key}`, method, params: withMeta(params, relatedTask(task_id)) };
}

export interface QuestionId {
  readonly task_id: string;
  readonly key: string;
}

/** Reads the id of a question; null for the id of any other request. */
export function readQuestionId(id: unknown): QuestionId | null {
  if (typeof id !== 'string' || !id.startsWith(PREFIX)) return null;
  const at = id.indexOf(':', PREFIX.length);
  const task_id = id.slice(PREFIX.length, at);
  return at < 0 || !isTaskId(task_id) ? null : { task_id, key: id.slice(at + 1) };
}

const NO_ANSWER: JsonObject = { action: 'cancel' };

/**
 * Reads the answer from a client's response. An error is read as a cancelled elicitation: there will be
 * no answer. Null for a response that has neither a result nor an error.
 */
export function readAnswer({
  result,
  error,
}: {
  readonly result?: unknown;
  readonly error?: unknown;
}): JsonObject | null {
  if (isObject(error)) return NO_ANSWER;
  return isObject(result) ? (result as JsonObject) : null; // The value came as JSON.
}

/** True when the client declared support for this kind of question. Other questions must not be sent. */
export function mayAsk(client_capabilities: JsonObject, { method, params }: InputRequest): boolean {
  const { elicitation, sampling, roots }: Readonly<Record<string, unknown>> = client_capabilities;
  switch (method) {
    case 'elicitation/create':
      return isObject(elicitation) && takesMode(elicitation, params.mode === 'url' ? 'url' : 'form');
    case 'sampling/createMessage':
      return isObject(sampling);
    case 'roots/list':
      return isObject(roots);
  }
}

/** True when the client supports the mode. A client that names no mode supports forms. */
const takesMode = (elicitation: Readonly<Record<string, unknown>>, mode: 'form' | 'url'): boolean =>
  isObject(elicitation[mode]) || (mode === 'form' && elicitation.url === undefined);
