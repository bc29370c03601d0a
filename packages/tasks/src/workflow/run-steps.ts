import type { TaskContext } from '#context';
import { TaskError } from '#errors';
import { asJson, isObject, type Json, type JsonObject } from '#json';
import type { InputRequest } from '#task';
import { type InputSources, resolveInput } from './source.ts';

/** The context of a running step. Its functions need no `this`. */
export interface StepContext<Input = JsonObject> {
  readonly input: Input;
  /** The arguments of the call, overridden by the variables that were set since. */
  readonly variables: JsonObject;
  /** Sets a variable; durable when it resolves. A step that is started again finds the variables that it set before. */
  readonly setVariable: (name: string, value: Json) => Promise<void>;
  /**
   * Asks the client. A step that is started again gets its earlier answers, in the order of its questions: let that
   * order depend on nothing but input, variables and answers.
   */
  readonly requireInput: (request: InputRequest) => Promise<JsonObject>;
  readonly signal: AbortSignal;
  /** 1 at the first start of the task; higher after a worker died. */
  readonly attempt: number;
}

export interface WorkflowStep {
  readonly name: string;
  readonly input: InputSources;
  // biome-ignore lint/suspicious/noConfusingVoidType: a step that only does something returns nothing.
  readonly run: (step: StepContext) => Promise<Json | void> | Json | void;
}

/** The part of a task that a workflow needs. */
export type WorkflowTask = Pick<
  TaskContext,
  'arguments' | 'attempt' | 'signal' | 'variables' | 'setVariables' | 'requireInput' | 'progress' | 'setStatusMessage'
>;

const RESERVED = 'step:';

/** Runs the steps that are not done yet, in order. Resolves to a tool result. */
export async function runSteps(steps: readonly WorkflowStep[], task: WorkflowTask): Promise<JsonObject> {
  let output: Json = null;
  for (const [index, step] of steps.entries()) {
    const done = outputOf(task, step.name);
    output = done === undefined ? await runStep(step, task) : done;
    await task.progress(index + 1, steps.length, step.name);
  }
  return toResult(output);
}

async function runStep(step: WorkflowStep, task: WorkflowTask): Promise<Json> {
  await task.setStatusMessage(step.name);
  task.signal.throwIfAborted();
  // The cast: `asJson` gives back an object with the same field.
  const { output = null } = asJson({ output: await step.run(contextOf(step, task)) }) as { readonly output?: Json };
  // Output and mark are one variable: with two writes, a crash between them would repeat the step or lose its output.
  await task.setVariables({ [RESERVED + step.name]: { output } });
  return output;
}

/** Returns the output of a step; undefined until the step is done. */
function outputOf(task: WorkflowTask, step: string): Json | undefined {
  const variables = task.variables();
  const mark = Object.hasOwn(variables, RESERVED + step) ? variables[RESERVED + step] : undefined;
  // The cast: only `runStep` writes marks.
  return isObject(mark) ? (mark as { readonly output: Json }).output : undefined;
}

function contextOf(step: WorkflowStep, task: WorkflowTask): StepContext {
  const variables = { ...task.arguments, ...task.variables() };
  let questions = 0;
  return {
    input: resolveInput(step.input, {
      variable: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
      output: (name) => outputOf(task, name),
    }),
    get variables() {
      return { ...task.arguments, ...task.variables() };
    },
    setVariable: async (name, value) => {
      if (name.startsWith(RESERVED)) {
        throw new TaskError('invalid_params', `Variables that begin with "${RESERVED}" are the workflow's own.`);
      }
      await task.setVariables({ [name]: value });
    },
    requireInput: (request) => {
      questions += 1;
      return task.requireInput(questions === 1 ? step.name : `${step.name}#${questions}`, request);
    },
    signal: task.signal,
    attempt: task.attempt,
  };
}

const toResult = (output: Json): JsonObject => ({
  content:
    output === null ? [] : [{ type: 'text', text: typeof output === 'string' ? output : JSON.stringify(output) }],
  ...(isObject(output) && { structuredContent: output }),
});
