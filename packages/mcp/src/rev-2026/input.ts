import { isObject, type JsonObject } from '#json';
import { INVALID_PARAMS, RpcError } from '#json-rpc';

export interface Input {
  readonly responses: JsonObject;
  readonly state: string | undefined;
}

/** Reads the answers of a repeated request. */
export function readInput(params: { readonly inputResponses?: unknown; readonly requestState?: unknown }): Input {
  const { inputResponses: responses = {}, requestState: state } = params;
  if (!isObject(responses) || !Object.values(responses).every(isObject)) {
    throw new RpcError(INVALID_PARAMS, 'inputResponses must be an object of objects.');
  }
  if (state !== undefined && typeof state !== 'string') {
    throw new RpcError(INVALID_PARAMS, 'requestState must be a string.');
  }
  return { responses, state };
}
