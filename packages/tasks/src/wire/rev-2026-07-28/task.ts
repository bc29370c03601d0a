import type { JsonObject } from '#json';
import { openInputs, type TaskRecord, type TaskStatus } from '#task';
import type { RpcNotification } from '#wire/json-rpc';
import { metaMember, variablesMeta, withMeta } from '#wire/meta';
import { statusMessageOf } from '#wire/status-message';

export type Task = {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number;
};

export type DetailedTask = Task & {
  /** Present with the status `input_required`. */
  readonly inputRequests?: { readonly [key: string]: { readonly method: string; readonly params: JsonObject } };
  /** Present with the status `completed`. */
  readonly result?: JsonObject;
  /** Present with the status `failed`. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
  readonly _meta?: JsonObject;
};

export type CreateTaskResult = Task & { readonly resultType: 'task'; readonly _meta?: JsonObject };
export type GetTaskResult = DetailedTask & { readonly resultType: 'complete' };
export type Acknowledgement = { readonly resultType: 'complete' };

/** The answer to `tasks/update` and `tasks/cancel`. */
export const ACK: Acknowledgement = { resultType: 'complete' };

export const encodeCreated = (record: TaskRecord): CreateTaskResult => ({
  resultType: 'task',
  ...encodeTask(record),
  ...metaMember(variablesMeta(record)),
});

/** The answer to `tasks/get`. */
export const encodeDetailed = (record: TaskRecord): GetTaskResult => ({ resultType: 'complete', ...detailed(record) });

export const encodeNotification = (record: TaskRecord, meta: JsonObject = {}): RpcNotification => ({
  method: 'notifications/tasks',
  params: withMeta(detailed(record), meta),
});

const detailed = (record: TaskRecord): DetailedTask => ({
  ...encodeTask(record),
  ...details(record),
  ...metaMember(variablesMeta(record)),
});

function encodeTask(record: TaskRecord): Task {
  const statusMessage = statusMessageOf(record);
  return {
    taskId: record.task_id,
    status: statusOf(record),
    ...(statusMessage !== null && { statusMessage }),
    createdAt: new Date(record.created_at).toISOString(),
    lastUpdatedAt: new Date(record.updated_at).toISOString(),
    ttlMs: record.ttl_ms,
    pollIntervalMs: record.poll_interval_ms,
  };
}

/** Returns the status. In this generation a tool that reports its own failure is completed. */
const statusOf = ({ outcome, status }: TaskRecord): TaskStatus =>
  outcome?.kind === 'tool_error' ? 'completed' : status;

function details(record: TaskRecord): Pick<DetailedTask, 'inputRequests' | 'result' | 'error'> {
  const { outcome, status } = record;
  switch (outcome?.kind) {
    case 'result':
    case 'tool_error':
      // Clients of this generation refuse a result without `resultType`.
      return { result: { ...outcome.result, resultType: 'complete' } };
    case 'rpc_error':
      return { error: outcome.error };
    default:
      return status === 'input_required' ? { inputRequests: openInputs(record) } : {};
  }
}
