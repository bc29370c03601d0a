import type { JsonObject } from '#json';
import type { TaskRecord, TaskStatus } from '#task';
import { metaMember, variablesMeta } from '#wire/meta';
import { statusMessageOf } from '#wire/status-message';

/** The key of `_meta` that says which task a message belongs to. */
export const RELATED_TASK = 'io.modelcontextprotocol/related-task';
/** The key of `_meta` in the answer to a creation that holds the text for the model while the task runs. */
export const MODEL_IMMEDIATE_RESPONSE = 'io.modelcontextprotocol/model-immediate-response';

export type Task = {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number | null;
  readonly pollInterval?: number;
};

/** A task with its variables in `_meta`, under `VARIABLES_META`. */
export type TaskWithVariables = Task & { readonly _meta?: JsonObject };

export type CreateTaskResult = { readonly task: Task; readonly _meta?: JsonObject };

export type ListTasksResult = { readonly tasks: readonly TaskWithVariables[]; readonly nextCursor?: string };

export function encodeTask(record: TaskRecord): Task {
  const statusMessage = statusMessageOf(record);
  return {
    taskId: record.task_id,
    status: record.status,
    ...(statusMessage !== null && { statusMessage }),
    createdAt: new Date(record.created_at).toISOString(),
    lastUpdatedAt: new Date(record.updated_at).toISOString(),
    ttl: record.ttl_ms,
    pollInterval: record.poll_interval_ms,
  };
}

/** The answer to `tasks/get` and `tasks/cancel`, and a row of `tasks/list`. */
export const encodeTaskWithVariables = (record: TaskRecord): TaskWithVariables => ({
  ...encodeTask(record),
  ...metaMember(variablesMeta(record)),
});

export function encodeCreated(record: TaskRecord): CreateTaskResult {
  const { immediate_response } = record;
  const immediate = immediate_response === null ? {} : { [MODEL_IMMEDIATE_RESPONSE]: immediate_response };
  return { task: encodeTask(record), ...metaMember({ ...variablesMeta(record), ...immediate }) };
}

export const relatedTask = (task_id: string): JsonObject => ({ [RELATED_TASK]: { taskId: task_id } });
