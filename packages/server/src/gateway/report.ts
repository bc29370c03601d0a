import { visibleJson } from '#domain/visible-text';
import { ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';
import { type TaskManager, TaskManagerError } from '#tools/task-manager';
import type { CallError } from './gateway.ts';
import { failure } from './outcome.ts';
import { validate } from './validate.ts';

export interface ReportCall {
  readonly tool: Tool;
  /** The arguments as they came, unchecked. */
  readonly input: unknown;
  /** The Task Manager, with or without an operation id. */
  readonly managerFor: (idempotency_key: string | undefined) => TaskManager;
  /** Called with an unexpected error, of which the caller gets only the correlation id. */
  readonly observe: (error: unknown, correlation_id: string) => void;
  readonly randomId: () => string;
}

/** The outcome of a call. Without an answer there is no status. */
export type ReportOutcome =
  | { readonly ok: true; readonly json: string }
  | {
      readonly ok: false;
      readonly error: Omit<CallError, 'code'> & { readonly code?: string };
      readonly status?: number;
    };

const NOT_REACHED: ReadonlySet<string | undefined> = new Set(['timeout', 'connection_failed']);

function refused({ words, error_code, status_code }: TaskManagerError, correlation_id: string): ReportOutcome {
  return {
    ok: false,
    error: {
      ...(error_code !== undefined && { code: error_code }),
      message: words,
      retryable: NOT_REACHED.has(error_code),
      correlation_id,
    },
    ...(status_code !== undefined && { status: status_code }),
  };
}

/** Calls a Task Manager elsewhere under the same rules as the store. Never rejects. */
export async function report({ tool, input, managerFor, observe, randomId }: ReportCall): Promise<ReportOutcome> {
  const correlation_id = randomId();
  try {
    if (tool.report === null) throw new Error(`${tool.full_name} cannot be asked of another Task Manager.`);
    const given = validate(tool, input);
    const manager = managerFor(typeof given.idempotency_key === 'string' ? given.idempotency_key : undefined);
    // Only the tool's own file knows the type of what its schema has just parsed.
    const answer = await tool.report(given as never, manager);
    return { ok: true, json: visibleJson(JSON.stringify(answer)) };
  } catch (thrown) {
    if (thrown instanceof TaskManagerError) return refused(thrown, correlation_id);
    if (!(thrown instanceof ErrandError)) observe(thrown, correlation_id);
    return failure(thrown, tool, correlation_id);
  }
}
