import { randomUUID } from 'node:crypto';
import { RpcFailure } from '@errand/tasks';
import type { JsonObject } from './json.ts';
import { INTERNAL_ERROR, RpcError } from './json-rpc.ts';

/** Called with errors whose cause the client does not get, and with the id that the client got instead. */
export type Report = (error: unknown, correlation_id?: string) => void;

/** The error for a request beyond a limit of this library. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** An error as the client gets it. */
export interface Failure {
  readonly message: string;
  readonly data?: JsonObject;
  /** The HTTP status of the answer; without it the protocol's generation decides. */
  readonly status?: number;
}

/** The answers to errors that the protocol does not define. */
export interface Failures {
  readonly describe: (error: unknown, correlation_id: string) => Failure;
  /** True when the HTTP handler must reject with this error, so that its caller writes the answer. */
  readonly passesOn: (error: unknown) => boolean;
}

/** Reports every error, and gives the client the id of the report alone. */
export const createFailures = (report: Report): Failures => ({
  describe: (error, correlation_id) => {
    if (error instanceof LimitError) return { message: error.message };
    report(error, correlation_id);
    return { message: 'Internal error', data: { correlation_id } };
  },
  passesOn: () => false,
});

interface Reporting {
  readonly report: Report;
  readonly failures: Failures;
}

/** The JSON-RPC error that answers a thrown error. */
export function asRpcError(thrown: unknown, to: Reporting, correlation_id: string = randomUUID()): RpcError {
  if (thrown instanceof RpcError) return thrown;
  if (thrown instanceof RpcFailure) return fromTasks(thrown, to.report, correlation_id);
  const { message, data, status } = to.failures.describe(thrown, correlation_id);
  return new RpcError(INTERNAL_ERROR, message, data, status);
}

/** Passes messages of the task library on to the client. A cause, such as an unreachable store, is only reported. */
function fromTasks({ code, message, data, cause }: RpcFailure, report: Report, correlation_id: string): RpcError {
  if (cause instanceof Error && cause.cause !== undefined) report(cause.cause, correlation_id);
  return new RpcError(code, message, data);
}
