import { TaskError } from '#errors';
import type { JsonObject } from '#json';
import { RpcFailure } from '#rpc-failure';

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

/** A message that expects no answer; whoever sends it adds `jsonrpc`. */
export type RpcNotification = { readonly method: string; readonly params: JsonObject };

export const invalidParams = (message: string): RpcFailure => new RpcFailure(INVALID_PARAMS, message);

/**
 * Failures of task operations in the words and numbers of JSON-RPC. Anything else passes as it is: its words are for
 * the log of whoever serves the method, not for the requestor.
 */
export async function answering<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof TaskError) throw new RpcFailure(error.rpc_code, error.message, { cause: error });
    throw error;
  }
}
