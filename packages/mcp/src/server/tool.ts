import type { Json, TaskContext, TaskHandler, JsonObject as TaskJson } from '@errand/tasks';
import type { CallContext, TaskSupport, ToolAnswer, ToolShape } from '#host';
import { InputNeeded } from '#input-needed';
import type { JsonObject } from '#json';
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

type OrPromise<Value> = Value | Promise<Value>;

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
  readonly run?: (input: Given<Input>, call: CallContext<Caller>) => OrPromise<Returned<Output>>;
  /** Does the work of a call as a task, which outlives the request and, with a durable store, the process. */
  readonly work?: (input: Given<Input>, task: TaskContext) => OrPromise<Returned<Output>>;
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
  readonly call: (args: JsonObject, call: CallContext<Caller>) => Promise<ToolAnswer>;
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
    call: async (args, call) => {
      try {
        if (run === undefined) return failure('This tool runs as a task only.').answer;
        const given = await inputFrom(input, args);
        if (given instanceof ToolResult) return given.answer;
        // The cast: the schema has validated the input.
        return await answerFrom(output, await run(given as Given<Input>, call));
      } catch (error) {
        if (error instanceof InputNeeded) return error.required;
        throw error;
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
async function inputFrom(schema: AnySchema | undefined, args: JsonObject): Promise<unknown> {
  if (schema === undefined) return args;
  const checked = schema['~standard'].validate(args);
  const { issues, ...valid } = checked instanceof Promise ? await checked : checked;
  if (issues !== undefined) return failure(`Invalid arguments.\n${issuesText(issues)}`);
  return (valid as { readonly value: unknown }).value; // A result without issues has a value.
}

async function answerFrom(schema: AnySchema | undefined, returned: unknown): Promise<ToolAnswer> {
  if (returned instanceof ToolResult) return returned.answer;
  if (schema === undefined) return content(...(returned === undefined ? [] : [text(String(returned))])).answer;
  const checked = schema['~standard'].validate(returned);
  const { issues, ...valid } = checked instanceof Promise ? await checked : checked;
  if (issues !== undefined)
    throw new TypeError(`The tool's answer does not fit its output schema.\n${issuesText(issues)}`);
  const { value } = valid as { readonly value: unknown }; // A result without issues has a value.
  return { kind: 'json', json: JSON.stringify(value), failed: false };
}

/** Encodes an answer as the result of a task. */
function resultOf(answer: ToolAnswer): TaskJson {
  if (answer.kind === 'input_required') throw new TypeError('A task asks with requireInput.');
  const failed = answer.failed && { isError: true };
  if (answer.kind === 'json') {
    const structuredContent = JSON.parse(answer.json) as Json;
    return { content: [{ type: 'text', text: answer.json }], structuredContent, ...failed };
  }
  // The cast: content is JSON.
  return { content: answer.content as unknown as Json, ...failed };
}
