import { TaskError } from '#errors';
import type { JsonObject } from '#json';
import type { InputRequest } from '#task';
import { mergeVariables } from '#variables';
import type { WorkflowTask } from './run-steps.ts';

export interface InMemoryOptions {
  readonly variables?: JsonObject;
  /** Answers the questions of steps. Without it, a step that asks a question fails. */
  readonly answer?: (key: string, request: InputRequest) => Promise<JsonObject>;
  readonly signal?: AbortSignal;
}

const nobodyAnswers = (): never => {
  throw new TaskError('unsupported', 'A step asks the client, and there is nobody to answer: run it as a task.');
};

/** Makes a task in memory, with what a workflow needs of it. */
export function inMemoryTask(args: JsonObject, options: InMemoryOptions = {}): WorkflowTask {
  const { answer = nobodyAnswers, signal = new AbortController().signal } = options;
  let variables = options.variables ?? {};
  return {
    arguments: args,
    attempt: 1,
    signal,
    variables: () => variables,
    setVariables: async (patch) => {
      variables = mergeVariables(variables, patch);
    },
    requireInput: async (key, request) => await answer(key, request),
    progress: async () => undefined,
    setStatusMessage: async () => undefined,
  };
}
