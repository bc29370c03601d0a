import { TaskError } from '#errors';
import type { JsonObject } from '#json';
import { RpcFailure } from '#rpc-failure';

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

/** A message that expects no answer. The sender adds `jsonrpc`. */
export type RpcNotification = { readonly method: string; readonly params: JsonObject };

export const invalidParams = (message: string): RpcFailure => new RpcFailure(INVALID_PARAMS, message);

/**
 * Turns failures of task operations into JSON-RPC errors. Any other error passes unchanged: its message is for
 * the log of the server, not for the requestor.
 */
export async function answering<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof TaskError) throw new RpcFailure(error.rpc_code, error.message, { cause: error });
    throw error;
  }
}
