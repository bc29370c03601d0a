import { RpcFailure } from '#rpc-failure';
import { invalidParams, METHOD_NOT_FOUND } from '#wire/json-rpc';
import { readObject } from '#wire/params';
import type { TaskSupport } from './capabilities.ts';

/** The member `task` of a request that asks to become one. */
export type TaskParams = { readonly ttl?: number | null };

export type GetTaskParams = { readonly taskId: string };
export type TaskResultParams = GetTaskParams;
export type CancelTaskParams = GetTaskParams;
export type ListTasksParams = { readonly cursor?: string };

/** Reads the member `task`; null for a request that does not ask for a task. */
export function readTaskParam(params: unknown): TaskParams | null {
  const { task }: { readonly task?: unknown } = readObject(params, 'params');
  if (task === undefined) return null;
  const { ttl }: { readonly ttl?: unknown } = readObject(task, 'task');
  if (ttl === undefined) return {};
  if (ttl !== null && typeof ttl !== 'number') throw invalidParams('task.ttl must be a number of milliseconds.');
  return { ttl };
}

export function readListParams(params: unknown): ListTasksParams {
  const { cursor }: { readonly cursor?: unknown } = readObject(params ?? {}, 'params');
  if (cursor === undefined) return {};
  if (typeof cursor !== 'string') throw invalidParams('cursor must be a string that nextCursor gave you.');
  return { cursor };
}

/** Reads the task that a call asks for; null for a plain call. Throws when the tool does not allow it. */
export function readWish(params: unknown, task_support: TaskSupport): TaskParams | null {
  const task = readTaskParam(params);
  if (task !== null && task_support === 'forbidden') {
    throw new RpcFailure(METHOD_NOT_FOUND, 'This tool does not run as a task. Call it without `task`.');
  }
  if (task === null && task_support === 'required') {
    throw new RpcFailure(METHOD_NOT_FOUND, 'This tool runs as a task only. Call it with `task`.');
  }
  return task;
}
