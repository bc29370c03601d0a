import type { TaskRecord } from '#task';
import type { RpcNotification } from '#wire/json-rpc';
import { encodeTaskWithVariables, relatedTask, type TaskWithVariables } from './task.ts';

export type TaskStatusNotification = {
  readonly method: 'notifications/tasks/status';
  readonly params: TaskWithVariables;
};

export const encodeStatusNotification = (record: TaskRecord): TaskStatusNotification => ({
  method: 'notifications/tasks/status',
  params: encodeTaskWithVariables(record),
});

/** Encodes a progress notification; null when there is no progress, or the client did not ask for it. */
export function encodeProgress({ task_id, request, progress }: TaskRecord): RpcNotification | null {
  if (progress === null || request.progress_token === null) return null;
  return {
    method: 'notifications/progress',
    params: { progressToken: request.progress_token, ...progress, _meta: relatedTask(task_id) },
  };
}
