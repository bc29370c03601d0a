import type { JsonObject } from '#json';
import type { Outcome, RpcFault } from '#task';
import { INVALID_PARAMS } from '#wire/json-rpc';
import { withMeta } from '#wire/meta';
import { relatedTask } from './task.ts';

export type EncodedResult = { readonly result: JsonObject } | { readonly error: RpcFault };

interface Ended {
  readonly task_id: string;
  readonly outcome: Outcome;
}

/** Encodes the answer of the plain call. A cancelled task has none: the client gets an error that says so. */
export function encodeResult({ task_id, outcome }: Ended): EncodedResult {
  switch (outcome.kind) {
    case 'result':
    case 'tool_error':
      return { result: withMeta(outcome.result, relatedTask(task_id)) };
    case 'rpc_error':
      return { error: outcome.error };
    case 'cancelled':
      return { error: { code: INVALID_PARAMS, message: 'The task was cancelled and has no result.' } };
  }
}
