import { TaskError } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { TaskLimits } from './limits.ts';
import { type InputRequest, mayFollow, type Outcome, openInputs, type TaskRecord, type TaskStatus } from './task.ts';
import { checkVariables, mergeVariables } from './variables.ts';

/** Computes the next record of a task. It returns the same object when there is nothing to write. */
export type Change = (record: TaskRecord, now: number) => TaskRecord;

/** A change that requestors see. Each has a later time than the last, so a client that compares times misses none. */
const seen = (record: TaskRecord, now: number, change: Partial<TaskRecord>): TaskRecord => ({
  ...record,
  ...change,
  updated_at: Math.max(now, record.updated_at + 1),
});

function move(record: TaskRecord, status: TaskStatus): TaskStatus {
  if (status !== record.status && !mayFollow(record.status, status)) throw invalidTransition(record.status, status);
  return status;
}

const invalidTransition = (from: TaskStatus, to: TaskStatus): TaskError =>
  new TaskError('invalid_transition', `A task that is ${from} cannot become ${to}.`);

const STATUS_OF = { result: 'completed', tool_error: 'failed', rpc_error: 'failed', cancelled: 'cancelled' } as const;

/** Ends the task. A terminal status is final: ending the task again, even in the same way, is refused. */
export const end =
  (outcome: Outcome, message: string | null = null): Change =>
  (record, now) => {
    const status = STATUS_OF[outcome.kind];
    if (!mayFollow(record.status, status)) {
      throw new TaskError('invalid_transition', `The task is ${record.status} already.`);
    }
    return seen(record, now, { status, outcome, status_message: message, draft: null, lease: null });
  };

/** Turns the result of a tool into an outcome. With `isError` the tool itself says that it failed. */
export function outcomeOf(result: JsonObject): Outcome {
  const { isError }: { readonly isError?: unknown } = result;
  return { kind: isError === true ? 'tool_error' : 'result', result };
}

/** Replaces a result that is too large by a failure that says so: otherwise the task would never end. */
export function fitting(outcome: Outcome, { max_result_bytes }: TaskLimits): Outcome {
  const bytes = Buffer.byteLength(JSON.stringify(outcome));
  if (bytes <= max_result_bytes) return outcome;
  const what = outcome.kind === 'rpc_error' ? 'error' : 'result';
  return internalError(`The ${what} has ${bytes} bytes of JSON, and ${max_result_bytes} are allowed.`);
}

export const internalError = (message: string): Outcome => ({ kind: 'rpc_error', error: { code: -32603, message } });

export const toolError = (message: string): Outcome => ({
  kind: 'tool_error',
  result: { content: [{ type: 'text', text: message }], isError: true },
});

export const setVariables =
  (patch: JsonObject, limits: TaskLimits): Change =>
  (record, now) => {
    mustGoOn(record);
    const variables = mergeVariables(record.variables, patch);
    checkVariables(variables, limits);
    return seen(record, now, { variables });
  };

export const setDraft =
  (draft: JsonObject): Change =>
  (record, now) => {
    mustGoOn(record);
    return seen(record, now, { draft });
  };

export const setStatusMessage =
  (status_message: string | null): Change =>
  (record, now) => {
    mustGoOn(record);
    return seen(record, now, { status_message });
  };

/** Sets the progress. A value that does not grow is ignored: it is late, or comes from another part of the work. */
export const setProgress =
  (progress: number, total?: number, message?: string): Change =>
  (record, now) => {
    mustGoOn(record);
    if (!Number.isFinite(progress) || !(total === undefined || Number.isFinite(total))) {
      throw new TaskError('invalid_params', 'Progress and its total must be numbers.');
    }
    if (record.progress !== null && progress <= record.progress.progress) return record;
    return seen(record, now, {
      progress: { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) },
    });
  };

/** Adds a question under a key, unless the task already has a question with that key. */
export const ask =
  (key: string, request: InputRequest, { max_inputs }: TaskLimits): Change =>
  (record, now) => {
    mustGoOn(record);
    if (Object.hasOwn(record.inputs, key)) return record;
    if (Object.keys(record.inputs).length >= max_inputs) {
      throw new TaskError('invalid_params', `A task may ask ${max_inputs} questions at most.`);
    }
    const inputs = { ...record.inputs, [key]: { request, answer: null } };
    return seen(record, now, { inputs, status: move(record, 'input_required') });
  };

/** Takes the answers to open questions. After the last of them the task is working again. */
export const answer =
  (answers: Readonly<Record<string, JsonObject>>): Change =>
  (record, now) => {
    const open = Object.keys(openInputs(record)).filter((key) => Object.hasOwn(answers, key));
    if (open.length === 0 || record.outcome !== null) return record;
    const inputs = Object.fromEntries(
      Object.entries(record.inputs).map(([key, input]) =>
        open.includes(key) ? [key, { ...input, answer: answers[key] ?? null }] : [key, input],
      ),
    );
    const isLast = Object.keys(openInputs({ inputs })).length === 0;
    return seen(record, now, { inputs, status: isLast ? 'working' : record.status });
  };

/** Sets a status by name, for a host that runs the work itself. */
export const setStatus =
  (status: TaskStatus, message: string | null, limits: TaskLimits): Change =>
  (record, now) => {
    switch (status) {
      case 'completed':
        return end(fitting(outcomeOf(record.draft ?? { content: [] }), limits), message)(record, now);
      case 'failed':
        return end(toolError(message ?? 'The task failed.'), message)(record, now);
      case 'cancelled':
        return end({ kind: 'cancelled' }, message)(record, now);
      default:
        // With a new message the same status may be set again; without one it is not a transition.
        if (status === record.status && message === null) throw invalidTransition(record.status, status);
        return seen(record, now, { status: move(record, status), status_message: message });
    }
  };

function mustGoOn(record: TaskRecord): void {
  if (record.outcome !== null) throw new TaskError('invalid_transition', `The task is ${record.status} already.`);
}
