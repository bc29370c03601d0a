import type { JsonObject } from '#json';
import { invalidParams } from '#wire/json-rpc';
import { isTaskId, readObject, readTaskId } from '#wire/params';

/** The most tasks of one subscription. Each watched task costs a read at every change. */
const MAX_TASK_IDS = 100;

export interface Update {
  readonly task_id: string;
  readonly answers: Readonly<Record<string, JsonObject>>;
}

export function readUpdate(params: unknown): Update {
  const task_id = readTaskId(params);
  const { inputResponses }: { readonly inputResponses?: unknown } = readObject(params, 'params');
  const answers = Object.entries(readObject(inputResponses, 'inputResponses')).map(
    ([key, answer]) => [key, readObject(answer, `inputResponses.${key}`) as JsonObject] as const, // The value came as JSON.
  );
  return { task_id, answers: Object.fromEntries(answers) };
}

/** Reads the task ids of `subscriptions/listen`, without duplicates; undefined when it has none. */
export function readTaskIds(params: unknown): readonly string[] | undefined {
  const { notifications }: { readonly notifications?: unknown } = readObject(params, 'params');
  const { taskIds }: { readonly taskIds?: unknown } = readObject(notifications, 'notifications');
  if (taskIds === undefined) return undefined;
  if (!Array.isArray(taskIds) || !taskIds.every((id) => typeof id === 'string')) {
    throw invalidParams('notifications.taskIds must be a list of ids of tasks.');
  }
  return [...new Set<string>(taskIds)].filter(isTaskId).slice(0, MAX_TASK_IDS);
}
