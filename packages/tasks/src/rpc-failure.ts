import type { JsonObject } from './json.ts';
import type { RpcFault } from './task.ts';

/** A JSON-RPC error with a code and a message for the requestor. Handlers and task methods throw it. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, options: { readonly data?: JsonObject; readonly cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.data = options.data;
  }

  get fault(): RpcFault {
    const { code, message, data } = this;
    return { code, message, ...(data && { data }) };
  }
}
