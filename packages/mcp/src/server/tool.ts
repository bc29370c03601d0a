import type { Json, TaskContext, TaskHandler, JsonObject as TaskJson } from '@errand/tasks';
import type { CallContext, InputRequired, TaskSupport, ToolAnswer, ToolShape } from '#host';
import { InputNeeded } from '#input-needed';
import type { JsonObject } from '#json';
import { after, isPromise, type Soon } from '#ready';
import { content, failure, ToolResult, text } from './content.ts';
import {
  type AnySchema,
  type InputOf,
  inputSchemaOf,
  issuesText,
  type OutputOf,
  outputSchemaOf,
} from './standard-schema.ts';

/** The return value of `run` and `work`: a value of the output schema, or text without a schema. */
type Returned<Output extends AnySchema | undefined> =
  | ToolResult
  | (Output extends AnySchema ? InputOf<Output> : string | undefined);

type Given<Input extends AnySchema | undefined> = Input extends AnySchema ? OutputOf<Input> : JsonObject;

/** Hints for a client before it calls a tool. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ToolOptions<Input extends AnySchema | undefined, Output extends AnySchema | undefined, Caller> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The schema of the arguments. A tool without it takes none. */
  readonly input?: Input;
  /** The schema of the structured answer. A tool without it answers with text or content. */
  readonly output?: Output;
  readonly annotations?: ToolAnnotations;
  readonly meta?: JsonObject;
  /** Answers a call at once. After `ask` it may run again for the same call. */
  readonly run?: (input: Given<Input>, call: CallContext<Caller>) => Soon<Returned<Output>>;
  /** Does the work of a call as a task, which outlives the request and, with a durable store, the process. */
  readonly work?: (input: Given<Input>, task: TaskContext) => Soon<Returned<Output>>;
  /** Whether calls may or must be tasks. The default is `required` without `run`, and `optional` with both. */
  readonly task?: 'optional' | 'required';
  /** The text that the model reads while the task runs. */
  readonly begun?: string;
  /** Returns false for a call that must ask for input before it becomes a task. Only for the 2026 generation. */
  readonly becomesTask?: (call: CallContext<Caller>) => boolean;
}

/** A tool as the server serves it. */
export interface Tool<Caller> {
  readonly shape: ToolShape;
  readonly call: (args: JsonObject, call: CallContext<Caller>) => Soon<ToolAnswer>;
  readonly work: TaskHandler | null;
  readonly support: TaskSupport;
  readonly begun: string | undefined;
  readonly becomesTask: (call: CallContext<Caller>) => boolean;
}

const NO_INPUT: JsonObject = { type: 'object', properties: {} };

/** Defines a tool: its input, its output and its handlers. */
export function tool<
  Input extends AnySchema | undefined = undefined,
  Output extends AnySchema | undefined = undefined,
  Caller = unknown,
>(options: ToolOptions<Input, Output, Caller>): Tool<Caller> {
  const { name, title, description, input, output, annotations, meta, run, work } = options;
  if (run === undefined && work === undefined) throw new TypeError(`The tool ${name} has neither run nor work.`);

  return {
    shape: {
      name,
      ...(title !== undefined && { title }),
      description,
      inputSchema: input === undefined ? NO_INPUT : inputSchemaOf(input),
      ...(output !== undefined && { outputSchema: outputSchemaOf(output) }),
      ...(annotations !== undefined && { annotations: { ...annotations } }),
      ...(meta !== undefined && { _meta: meta }),
    },
    call: (args, call) => {
      if (run === undefined) return failure('This tool runs as a task only.').answer;
      try {
        const answer = after(inputFrom(input, args), (given) => {
          if (given instanceof ToolResult) return given.answer;
          // The cast: the schema has validated the input.
          return after(run(given as Given<Input>, call), (returned) => answerFrom(output, returned));
        });
        return isPromise(answer) ? answer.then(undefined, questionsIn) : answer;
      } catch (error) {
        return questionsIn(error);
      }
    },
    work:
      work === undefined
        ? null
        : async (task) => {
            const given = await inputFrom(input, task.arguments);
            if (given instanceof ToolResult) return resultOf(given.answer);
            // The cast: the schema has validated the input.
            return resultOf(await answerFrom(output, await work(given as Given<Input>, task)));
          },
    support: work === undefined ? 'forbidden' : (options.task ?? (run === undefined ? 'required' : 'optional')),
    begun: options.begun,
    becomesTask: options.becomesTask ?? (() => true),
  };
}

/** Validates the arguments. Returns the output of the schema, or the answer to invalid arguments. */
function inputFrom(schema: AnySchema | undefined, args: JsonObject): Soon<unknown> {
  if (schema === undefined) return args;
  return after(schema['~standard'].validate(args), (checked) =>
    checked.issues === undefined ? checked.value : failure(`Invalid arguments.\n${issuesText(checked.issues)}`),
  );
}

function answerFrom(schema: AnySchema | undefined, returned: unknown): Soon<ToolAnswer> {
  if (returned instanceof ToolResult) return returned.answer;
  if (schema === undefined) return content(...(returned === undefined ? [] : [text(String(returned))])).answer;
  return after(schema['~standard'].validate(returned), (checked) => {
    if (checked.issues === undefined) return { kind: 'json', json: JSON.stringify(checked.value), failed: false };
    throw new TypeError(`The tool's answer does not fit its output schema.\n${issuesText(checked.issues)}`);
  });
}

/** Returns the questions of a call that ended at `ask`. Throws any other error again. */
function questionsIn(error: unknown): InputRequired {
  if (error instanceof InputNeeded) return error.required;
  throw error;
}

/** Encodes an answer as the result of a task. */
function resultOf(answer: ToolAnswer): TaskJson {
  if (answer.kind === 'input_required') throw new TypeError('A task asks with requireInput.');
  const failed = answer.failed && { isError: true };
  if (answer.kind === 'json') {
    // The cast: what JSON.parse gives is JSON.
    const structuredContent = JSON.parse(answer.json) as Json;
    return { content: [{ type: 'text', text: answer.json }], structuredContent, ...failed };
  }
  // The cast: content is JSON.
  return { content: answer.content as unknown as Json, ...failed };
}
