import { taskNotFound } from '#errors';
import { isObject, type JsonObject } from '#json';
import { invalidParams } from './json-rpc.ts';

type Fields = Readonly<Record<string, unknown>>;

export function readObject(value: unknown, name: string): Fields {
  if (!isObject(value)) throw invalidParams(`${name} must be an object.`);
  return value;
}

export function readTaskId(params: unknown): string {
  const { taskId }: { readonly taskId?: unknown } = readObject(params, 'params');
  if (typeof taskId !== 'string') throw invalidParams('taskId must be a string.');
  if (!isTaskId(taskId)) throw taskNotFound();
  return taskId;
}

const TASK_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True when a task can have this id. Other ids never reach a store, since backends accept different keys. */
export const isTaskId = (text: string): boolean => TASK_ID.test(text);

export interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly progress_token: string | number | null;
}

/** Reads the part of `tools/call` that is the same in both generations. */
export function readToolCall(params: unknown): ToolCall {
  const call: { readonly name?: unknown; readonly arguments?: unknown; readonly _meta?: unknown } = readObject(
    params,
    'params',
  );
  if (typeof call.name !== 'string') throw invalidParams('name must be the name of a tool.');
  return {
    tool: call.name,
    // The value came as JSON.
    arguments: readObject(call.arguments ?? {}, 'arguments') as JsonObject,
    progress_token: readProgressToken(call._meta),
  };
}

function readProgressToken(meta: unknown): string | number | null {
  if (!isObject(meta)) return null;
  const { progressToken: token }: { readonly progressToken?: unknown } = meta;
  if (token === undefined) return null;
  if (typeof token === 'string' || Number.isSafeInteger(token)) return token as string | number; // Number.isSafeInteger does not narrow.
  throw invalidParams('progressToken must be a string or a whole number.');
}
