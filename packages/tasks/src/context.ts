import type { Json, JsonObject } from './json.ts';
import type { InputRequest } from './task.ts';

/**
 * A task, as the work itself sees it. Its functions need no `this`: hand the object, or any of them, to whatever runs
 * at the same time. All writes reject with `lease_lost` once another worker has taken over.
 */
export interface TaskContext {
  readonly task_id: string;
  readonly owner_id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** What the host left for the work when it made the task. */
  readonly context: JsonObject;
  /** 1 at the first start; more after a worker died or stopped. */
  readonly attempt: number;
  readonly progress_token: string | number | null;
  /** Aborted when the task was cancelled, has expired, or is someone else's by now. */
  readonly signal: AbortSignal;
  /** As they are known here: own writes and those seen since. */
  readonly variables: () => JsonObject;
  readonly getVariable: (name: string) => Json | undefined;
  readonly setVariable: (name: string, value: Json) => Promise<void>;
  /** New keys are added, known ones overwritten, null removes. */
  readonly setVariables: (patch: JsonObject) => Promise<void>;
  /**
   * Asks the client and resolves to its answer. After a restart the same key answers at once with what was said then:
   * use a key for one question only.
   */
  readonly requireInput: (key: string, request: InputRequest) => Promise<JsonObject>;
  readonly progress: (progress: number, total?: number, message?: string) => Promise<void>;
  /** What a person reads while the task goes on. */
  readonly setStatusMessage: (message: string) => Promise<void>;
  /** Ends the task with this result, and what a person reads then; what the handler returns later counts no more. */
  readonly complete: (result: JsonObject, message?: string) => Promise<void>;
  /** Ends the task as a failure of the tool, with these words. */
  readonly fail: (message: string) => Promise<void>;
}
