import { setTimeout as sleep } from 'node:timers/promises';
import {
  ask,
  type Change,
  end,
  fitting,
  internalError,
  outcomeOf,
  setProgress,
  setStatusMessage,
  setVariables,
  toolError,
} from '#changes';
import type { TaskContext } from '#context';
import { isAway, TaskError, type TaskErrorCode } from '#errors';
import { asJson, type JsonObject } from '#json';
import type { TaskLimits } from '#limits';
import { RpcFailure } from '#rpc-failure';
import { type InputRequest, isTerminal, type Outcome, type TaskRecord } from '#task';
import type { TaskHandler } from '#tasks';
import type { ChangeTask } from './change-task.ts';
import { handBack } from './starts.ts';

const INTERNAL_ERROR = -32_603;
const RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;

export interface RunningNeeds {
  readonly changeTask: ChangeTask;
  readonly limits: TaskLimits;
  /** Called when the task starts or stops waiting for input. While it waits, it needs no slot. */
  readonly onWaiting: () => void;
  readonly report: (error: unknown, task_id: string) => void;
}

interface WriteOptions {
  readonly quiet?: boolean;
  /** Fails when the store is unavailable, instead of trying again. */
  readonly once?: boolean;
}

interface Question {
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** A task that runs in this process, under one epoch. */
export class RunningTask {
  #current: TaskRecord;
  /** Writes run one after another: parallel writes would only conflict with each other. */
  #tail: Promise<unknown> = Promise.resolve();
  readonly #needs: RunningNeeds;
  readonly #abort = new AbortController();
  readonly #questions = new Map<string, Set<Question>>();

  constructor(record: TaskRecord, needs: RunningNeeds) {
    this.#current = record;
    this.#needs = needs;
  }

  get owner_id(): string {
    return this.#current.owner_id;
  }

  get lease_until(): number {
    return this.#current.lease?.until ?? Number.POSITIVE_INFINITY;
  }

  get is_waiting(): boolean {
    return this.#questions.size > 0;
  }

  /** True when the task has ended or another worker has it, even if the handler still runs. */
  get is_stopped(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Runs the handler and ends the task with its outcome. */
  async run(handler: TaskHandler): Promise<void> {
    const outcome = await this.#outcomeOf(handler);
    if (this.#abort.signal.aborted) return;
    await this.#end(outcome).catch((error: unknown) => {
      if (!isOver(error)) throw error;
    });
  }

  /** Takes over a record that another process or the requestor has written. */
  update(record: TaskRecord | null): void {
    if (record !== null && record.version < this.#current.version) return;
    if (record === null || isTerminal(record.status) || record.epoch !== this.#current.epoch) {
      this.stop();
      return;
    }
    this.#current = record;
    for (const [key, waiting] of this.#questions) {
      const answer = record.inputs[key]?.answer;
      if (!answer) continue;
      this.#questions.delete(key);
      for (const { resolve } of waiting) resolve(structuredClone(answer));
      this.#needs.onWaiting();
    }
  }

  /** Aborts the handler. This worker no longer holds the task. */
  stop(): void {
    if (this.#abort.signal.aborted) return;
    const over = new TaskError('lease_lost', 'The task is over, or someone else works on it.');
    this.#abort.abort(over);
    for (const waiting of this.#questions.values()) for (const { reject } of waiting) reject(over);
    this.#questions.clear();
  }

  renew(until: number): Promise<void> {
    return this.#write(
      (record) => (record.lease === null ? record : { ...record, lease: { ...record.lease, until } }),
      { quiet: true, once: true },
    );
  }

  /** Gives up the lease, so that another worker can claim the task. `begun`: whether the handler was started. */
  async release(begun: boolean): Promise<void> {
    await this.#write(handBack(begun), { once: true });
    this.stop();
  }

  /** Ends the task without running its handler. */
  refuse(outcome: Outcome): Promise<void> {
    return this.#end(outcome);
  }

  async #outcomeOf(handler: TaskHandler): Promise<Outcome> {
    try {
      return this.#outcome(await handler(this.#context()));
    } catch (error) {
      if (error instanceof RpcFailure) return fitting(faultOf(error), this.#needs.limits);
      if (!this.#abort.signal.aborted) this.#needs.report(error, this.#current.task_id);
      return internalError(isLimit(error) ? error.message : 'The work ended with an internal error.');
    }
  }

  /** Throws for a result that is not JSON: no store could keep it. */
  #outcome(result: JsonObject): Outcome {
    return fitting(outcomeOf(asJson(result)), this.#needs.limits);
  }

  async #end(outcome: Outcome, message?: string): Promise<void> {
    try {
      await this.#write(end(outcome, message));
    } catch (error) {
      if (!(error instanceof TaskError && error.code === 'record_too_large')) throw error;
      await this.#write(end(internalError('The result does not fit into the store.')));
    }
    this.stop();
  }

  #write(change: Change, options: WriteOptions = {}): Promise<void> {
    const write = this.#tail.then(() => (options.once ? this.#attempt(change, options) : this.#persist(change)));
    this.#tail = write.catch((error: unknown) => {
      if (error instanceof TaskError && error.code === 'not_found') this.stop();
    });
    return write;
  }

  /** Retries while the store is unavailable: the handler may have had its effect, so its write must not be lost. */
  async #persist(change: Change): Promise<void> {
    for (let pause = RETRY_MS; ; pause = Math.min(2 * pause, MAX_RETRY_MS)) {
      try {
        return await this.#attempt(change, {});
      } catch (error) {
        if (!isAway(error)) throw error;
        this.#needs.report(error, this.#current.task_id);
      }
      await sleep(pause, undefined, { ref: false, signal: this.#abort.signal }).catch(() => undefined);
    }
  }

  async #attempt(change: Change, { quiet = false }: WriteOptions): Promise<void> {
    this.#abort.signal.throwIfAborted();
    const { owner_id, task_id, epoch } = this.#current;
    const guarded: Change = (record, now) => {
      if (record.epoch !== epoch || isTerminal(record.status)) this.stop();
      this.#abort.signal.throwIfAborted();
      return change(record, now);
    };
    const written = await this.#needs.changeTask(owner_id, task_id, guarded, { from: this.#current, quiet });
    if (!isTerminal(written.status)) this.update(written);
  }

  async #requireInput(key: string, request: InputRequest): Promise<JsonObject> {
    const known = this.#current.inputs[key]?.answer;
    if (known) return structuredClone(known);
    const { promise: answered, ...question } = Promise.withResolvers<JsonObject>();
    // When asking fails, the write below rejects with the reason.
    answered.catch(() => undefined);
    const waiting = this.#questions.get(key) ?? new Set<Question>();
    this.#questions.set(key, waiting.add(question));
    this.#needs.onWaiting();
    try {
      await this.#write(ask(key, asJson(request), this.#needs.limits));
    } catch (error) {
      waiting.delete(question);
      if (waiting.size === 0 && this.#questions.get(key) === waiting) this.#questions.delete(key);
      throw error;
    }
    this.update(this.#current);
    return await answered;
  }

  #context(): TaskContext {
    const { task_id, owner_id, request, context, epoch } = this.#current;
    const { limits } = this.#needs;
    // Copies: if the handler changes them, the changes must not be written with the next change.
    return {
      task_id,
      owner_id,
      tool: request.tool,
      arguments: structuredClone(request.arguments),
      context: structuredClone(context),
      attempt: epoch,
      progress_token: request.progress_token,
      signal: this.#abort.signal,
      variables: () => structuredClone(this.#current.variables),
      getVariable: (name) =>
        Object.hasOwn(this.#current.variables, name) ? structuredClone(this.#current.variables[name]) : undefined,
      setVariable: (name, value) => unawaited(async () => this.#write(setVariables(asJson({ [name]: value }), limits))),
      setVariables: (patch) => unawaited(async () => this.#write(setVariables(asJson(patch), limits))),
      requireInput: (key, input) => unawaited(() => this.#requireInput(key, input)),
      progress: (progress, total, message) => unawaited(async () => this.#write(setProgress(progress, total, message))),
      setStatusMessage: (message) => unawaited(async () => this.#write(setStatusMessage(String(message)))),
      complete: (result, message) => unawaited(async () => this.#end(this.#outcome(result), message)),
      fail: (message) => unawaited(async () => this.#end(fitting(toolError(String(message)), limits))),
    };
  }
}

/** A handler that does not await a write must not end the process when the task is already over. */
function unawaited<T>(act: () => Promise<T>): Promise<T> {
  const acting = act();
  acting.catch(() => undefined);
  return acting;
}

/** Turns an error that a handler threw into an outcome. Its code and data may be invalid. */
function faultOf({ fault }: RpcFailure): Outcome {
  const code = Number.isSafeInteger(fault.code) ? fault.code : INTERNAL_ERROR;
  try {
    return { kind: 'rpc_error', error: { ...fault, ...(fault.data && { data: asJson(fault.data) }), code } };
  } catch {
    return { kind: 'rpc_error', error: { code, message: fault.message } };
  }
}

const LIMITS: ReadonlySet<TaskErrorCode> = new Set(['variables_too_large', 'record_too_large', 'invalid_params']);

/** True for a broken limit. The requestor sees its message, because it may be able to ask for less. */
const isLimit = (error: unknown): error is TaskError => error instanceof TaskError && LIMITS.has(error.code);

const isOver = (error: unknown): boolean =>
  error instanceof TaskError &&
  (error.code === 'lease_lost' || error.code === 'not_found' || error.code === 'invalid_transition');
