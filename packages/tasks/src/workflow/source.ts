import { isObject, type Json, type JsonObject } from '#json';
import { RpcFailure } from '#rpc-failure';

const SOURCE = Symbol('source');

/** A variable of the task. Until it is set, the argument of the same name is used. */
export interface VariableSource<Value extends Json = Json> {
  readonly [SOURCE]: 'variable';
  readonly name: string;
  /** Never present: it only carries the type. */
  readonly value?: Value;
}

export interface StepOutputSource<Step extends string = string, Path extends string = string> {
  readonly [SOURCE]: 'step_output';
  readonly step: Step;
  readonly path: Path;
}

export type Source = VariableSource | StepOutputSource;

/** The inputs of a step by name: a constant, a variable, or the output of an earlier step. */
export type InputSources<Outputs = Readonly<Record<string, Json>>> = Readonly<
  Record<string, Json | VariableSource | StepOutputSource<keyof Outputs & string>>
>;

type At<Value, Path extends string> = Path extends ''
  ? Value
  : Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Value
      ? At<Value[Head], Rest>
      : Json
    : Path extends keyof Value
      ? Value[Path]
      : Json;

/** The input of a step after all sources are resolved. */
export type Resolved<Input, Outputs> = {
  readonly [Key in keyof Input]: Input[Key] extends VariableSource<infer Value>
    ? Value
    : Input[Key] extends StepOutputSource<infer Step, infer Path>
      ? At<Outputs[Step & keyof Outputs], Path>
      : Input[Key];
};

/** Makes a variable source. `variable<string>('url')` states the type of the value; it is not checked. */
export const variable = <Value extends Json = Json>(name: string): VariableSource<Value> => ({
  [SOURCE]: 'variable',
  name,
});

/** Makes a source from the output of an earlier step, or from the part at a path such as `commit.author`. */
export function stepOutput<Step extends string>(step: Step): StepOutputSource<Step, ''>;
export function stepOutput<Step extends string, Path extends string>(
  step: Step,
  path: Path,
): StepOutputSource<Step, Path>;
export function stepOutput(step: string, path = ''): StepOutputSource {
  return { [SOURCE]: 'step_output', step, path };
}

const isSource = (value: Json | Source): value is Source => isObject(value) && SOURCE in value;

/** Returns the names of the steps whose outputs the sources need. */
export const stepsNeeded = (sources: InputSources): readonly string[] =>
  Object.values(sources).flatMap((source) =>
    isSource(source) && source[SOURCE] === 'step_output' ? [source.step] : [],
  );

export interface Known {
  readonly variable: (name: string) => Json | undefined;
  readonly output: (step: string) => Json | undefined;
}

/** Resolves every source. A source without a value ends the task with a message for the requestor. */
export const resolveInput = (sources: InputSources, known: Known): JsonObject =>
  Object.fromEntries(
    Object.entries(sources).map(([key, source]) => [key, isSource(source) ? lookUp(source, known) : source]),
  );

function lookUp(source: Source, known: Known): Json {
  if (source[SOURCE] === 'variable') {
    const value = known.variable(source.name);
    if (value === undefined) throw new RpcFailure(-32602, `"${source.name}" is missing: give it as an argument.`);
    return value;
  }
  const { step, path } = source;
  const value = path.split('.').filter(Boolean).reduce(partOf, known.output(step));
  if (value === undefined) throw new RpcFailure(-32603, `The output of the step "${step}" has no "${path}".`);
  return value;
}

function partOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  // The cast: an array is read by its indices, as an object by its keys.
  return (value as JsonObject)[key];
}
