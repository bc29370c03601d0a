import type { Json, JsonObject } from './json.ts';
import type { InputRequest } from './task.ts';

/**
 * The task as its handler sees it. The functions need no `this`: pass the object or single functions to code that runs
 * at the same time. All writes reject with `lease_lost` once another worker has claimed the task.
 */
export interface TaskContext {
  readonly task_id: string;
  readonly owner_id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The context that the host gave when it created the task. */
  readonly context: JsonObject;
  /** 1 at the first start; higher after a worker died or stopped. */
  readonly attempt: number;
  readonly progress_token: string | number | null;
  /** Aborted when the task is cancelled, expires, or is claimed by another worker. */
  readonly signal: AbortSignal;
  /** The variables as this worker knows them: its own writes, and the writes of others that it has seen. */
  readonly variables: () => JsonObject;
  readonly getVariable: (name: string) => Json | undefined;
  readonly setVariable: (name: string, value: Json) => Promise<void>;
  /** Adds new keys and overwrites known ones. Null removes a key. */
  readonly setVariables: (patch: JsonObject) => Promise<void>;
  /**
   * Asks the client and resolves to its answer. After a restart the same key resolves at once to the earlier answer:
   * use a key for one question only.
   */
  readonly requireInput: (key: string, request: InputRequest) => Promise<JsonObject>;
  readonly progress: (progress: number, total?: number, message?: string) => Promise<void>;
  /** Sets the text that a person reads while the task runs. */
  readonly setStatusMessage: (message: string) => Promise<void>;
  /** Ends the task with this result and this message for a person. The handler's return value is then ignored. */
  readonly complete: (result: JsonObject, message?: string) => Promise<void>;
  /** Ends the task as a failure of the tool, with this message. */
  readonly fail: (message: string) => Promise<void>;
}
