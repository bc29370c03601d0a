import { randomUUID } from 'node:crypto';
import { RpcFailure } from '@errand/tasks';
import type { JsonObject } from './json.ts';
import { INTERNAL_ERROR, RpcError } from './json-rpc.ts';

/** Is given the errors whose cause the client does not learn, with the id that the client was given instead. */
export type Report = (error: unknown, correlation_id?: string) => void;

/** The client asks for more than a limit of this library allows. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** An error as the client reads it. */
export interface Failure {
  readonly message: string;
  readonly data?: JsonObject;
  /** The HTTP status of the answer; without it the protocol's generation decides. */
  readonly status?: number;
}

/** How errors that the protocol does not define are answered. */
export interface Failures {
  readonly describe: (error: unknown, correlation_id: string) => Failure;
  /** Whether the HTTP handler rejects with this error, so that its caller writes the answer. */
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

/** Words of the task library are meant for the client; their cause, such as a store that cannot be reached, is reported. */
function fromTasks({ code, message, data, cause }: RpcFailure, report: Report, correlation_id: string): RpcError {
  if (cause instanceof Error && cause.cause !== undefined) report(cause.cause, correlation_id);
  return new RpcError(code, message, data);
}
